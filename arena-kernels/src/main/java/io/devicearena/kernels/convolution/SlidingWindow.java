package io.devicearena.kernels.convolution;

import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The window of a convolution or a pool: what it covers, and how it moves over an image. That of a signal has the
 * height 1.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the attributes of {@code Conv} and {@code MaxPool} of ONNX, opset 20.
 *
 * @param y along the height of the image
 * @param x along the width of the image
 */
public record SlidingWindow(Axis y, Axis x) {
    /**
     * A window along one axis.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param size the elements that it covers, 1 or more
     * @param stride the elements from one place of the window to the next, 1 or more
     * @param before the elements of padding in front of the image, 0 or more
     * @param after the elements of padding behind it, 0 or more
     * @param dilation the elements from one that it covers to the next, 1 or more
     */
    public record Axis(int size, int stride, int before, int after, int dilation) {
        /** Checks the ranges. */
        public Axis {
            if (size < 1 || stride < 1 || dilation < 1 || before < 0 || after < 0) {
                throw new IllegalArgumentException(
                        "window: expected a size, stride and dilation of 1 or more, and padding of 0 or more, got size "
                                + size + ", stride " + stride + ", dilation " + dilation + ", padding " + before
                                + " and " + after);
            }
        }

        private Axis pads(long front, long behind) {
            return new Axis(size, stride, (int) front, (int) behind, dilation);
        }

        private Axis same(int length, int places, boolean isUpper) {
            int both = Math.max((places - 1) * stride + span() - length, 0);
            int less = both / 2;
            return isUpper ? pads(less, both - less) : pads(both - less, less);
        }

        private void setIn(StepKernel kernel, String axis) {
            kernel.set("SIZE" + axis, size)
                    .set("STRIDE" + axis, stride)
                    .set("BEFORE" + axis, before)
                    .set("DILATION" + axis, dilation);
        }

        private void addTo(Words words, int length, int places) {
            words.add(size, stride, before, after, dilation, length).divisor(places);
        }

        /** The elements from the first that it covers to the last. */
        int span() {
            return (size - 1) * dilation + 1;
        }

        private boolean hasPlaces(int length, int places, boolean isRoundedUp) {
            int left = left(length, places);
            return left < stride && left >= (isRoundedUp ? 1 - stride : 0);
        }

        /** The elements of an image that the window has no place for, if it has a number of them. */
        int left(int length, int places) {
            return length + before + after - span() - (places - 1) * stride;
        }
    }

    /**
     * Returns a window that moves by one, without padding.
     *
     * @param size the rows and columns that it covers, or the elements of a signal; 1 or more
     * @return the window
     */
    public static SlidingWindow of(long... size) {
        Axis one = new Axis(1, 1, 0, 0, 1);
        Axis x = new Axis((int) size[size.length - 1], 1, 0, 0, 1);
        return new SlidingWindow(size.length == 1 ? one : new Axis((int) size[0], 1, 0, 0, 1), x);
    }

    /**
     * Returns the same window with strides.
     *
     * @param strides rows and columns from one place to the next, or the elements of a signal, 1 or more; none: 1
     * @return a new window
     */
    public SlidingWindow strides(long... strides) {
        return with(strides, (axis, stride) -> new Axis(axis.size, stride, axis.before, axis.after, axis.dilation));
    }

    /** Changes both axes by numbers, the last axis by one number, or none. */
    private SlidingWindow with(long[] numbers, BiFunction<Axis, Integer, Axis> changed) {
        int last = numbers.length - 1;
        return last < 0
                ? this
                : new SlidingWindow(
                        last == 0 ? y : changed.apply(y, (int) numbers[0]), changed.apply(x, (int) numbers[last]));
    }

    /**
     * Returns the same window with dilations.
     *
     * @param dilations rows and columns from one that it covers to the next, or the elements of a signal, 1 or more;
     *     none: 1
     * @return a new window
     */
    public SlidingWindow dilations(long... dilations) {
        return with(dilations, (axis, dilation) -> new Axis(axis.size, axis.stride, axis.before, axis.after, dilation));
    }

    /**
     * Returns the same window with padding, in the order of the pads of ONNX.
     *
     * @param pads rows above the image, columns in front of it, rows below it, columns behind it; or elements in front
     *     of a signal and behind it; 0 or more; none: 0
     * @return a new window
     */
    public SlidingWindow pads(long... pads) {
        int half = pads.length / 2;
        return with(Arrays.copyOf(pads, half), (axis, front) -> axis.pads(front, axis.after))
                .with(Arrays.copyOfRange(pads, half, pads.length), (axis, behind) -> axis.pads(axis.before, behind));
    }

    /**
     * Returns the same window with the least padding for its places, if the model asks for it.
     *
     * @param kind the attribute {@code auto_pad}: {@code SAME_UPPER}, with which of an odd number of elements one more
     *     is behind the image, or {@code SAME_LOWER}; else the window stays
     * @param image the shape of the images over which it moves
     * @param places the shape that has its places: ceil(length / stride) along each axis
     * @return a window
     */
    public SlidingWindow autoPad(String kind, List<Long> image, List<Long> places) {
        ImageShape over = ImageShape.of(image);
        ImageShape to = ImageShape.of(places);
        boolean isUpper = kind.equals("SAME_UPPER");
        return isUpper || kind.equals("SAME_LOWER")
                ? new SlidingWindow(
                        y.same(over.height(), to.height(), isUpper), x.same(over.width(), to.width(), isUpper))
                : this;
    }

    /** The elements that it covers. */
    int taps() {
        return y.size * x.size;
    }

    /** Checks how many elements of an image are left beside the places of the window: as many as its stride allows. */
    void requirePlaces(String label, ImageShape image, ImageShape places, boolean isRoundedUp) {
        if (!y.hasPlaces(image.height(), places.height(), isRoundedUp)
                || !x.hasPlaces(image.width(), places.width(), isRoundedUp)) {
            throw new IllegalArgumentException(label + ": expected as many places of the window as it has on " + image
                    + ", got " + places + " for " + this);
        }
    }

    /** The window and the shapes as the structure {@code Images} of {@code images.cuh}. */
    Words words(ImageShape input, ImageShape output) {
        Words words = new Words();
        y.addTo(words, input.height(), output.height());
        x.addTo(words, input.width(), output.width());
        return words.add(input.channels()).divisor(output.channels()).add(output.elements());
    }

    /** Sets the window and the shapes in a kernel that has a thread for each element, or that uses tiles. */
    StepKernel setIn(StepKernel kernel, ImageShape input, ImageShape output) {
        y.setIn(kernel, "_Y");
        x.setIn(kernel, "_X");
        return kernel.set("CHANNELS", input.channels())
                .set("HEIGHT", input.height())
                .set("WIDTH", input.width())
                .set("OUT_CHANNELS", output.channels())
                .set("OUT_HEIGHT", output.height())
                .set("OUT_WIDTH", output.width())
                .set("ELEMENTS", output.elements());
    }
}
