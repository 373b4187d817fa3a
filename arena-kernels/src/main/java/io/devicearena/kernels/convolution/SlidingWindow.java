package io.devicearena.kernels.convolution;

import io.devicearena.kernels.step.StepKernel;

/**
 * The window of a convolution or a pool: what it covers, and how it moves over an image.
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

        private boolean covers(int length) {
            return before == 0 && size == length && span() == length;
        }

        private void setIn(StepKernel kernel, String axis) {
            kernel.set("SIZE" + axis, size)
                    .set("STRIDE" + axis, stride)
                    .set("BEFORE" + axis, before)
                    .set("DILATION" + axis, dilation);
        }

        /** The elements from the first that it covers to the last. */
        int span() {
            return (size - 1) * dilation + 1;
        }

        /** The places of the window on a padded image. */
        int places(int length, boolean isRoundedUp) {
            int room = length + before + after - span();
            if (room < 0) {
                throw new IllegalArgumentException("window: expected at least " + span()
                        + " elements with padding, got " + (length + before + after));
            }
            int places = (isRoundedUp ? room + stride - 1 : room) / stride + 1;
            // the last one begins inside the image or the padding in front of it
            return isRoundedUp && (places - 1) * stride >= length + before ? places - 1 : places;
        }
    }

    /**
     * Returns a window that moves by one, without padding.
     *
     * @param height the rows that it covers, 1 or more
     * @param width the columns that it covers, 1 or more
     * @return the window
     */
    public static SlidingWindow of(int height, int width) {
        return new SlidingWindow(new Axis(height, 1, 0, 0, 1), new Axis(width, 1, 0, 0, 1));
    }

    /**
     * Returns the same window with strides.
     *
     * @param down rows from one place to the next, 1 or more
     * @param right columns from one place to the next, 1 or more
     * @return a new window
     */
    public SlidingWindow strides(int down, int right) {
        return new SlidingWindow(
                new Axis(y.size, down, y.before, y.after, y.dilation),
                new Axis(x.size, right, x.before, x.after, x.dilation));
    }

    /**
     * Returns the same window with padding, in the order of the pads of ONNX.
     *
     * @param top rows above the image, 0 or more
     * @param left columns in front of it, 0 or more
     * @param bottom rows below it, 0 or more
     * @param right columns behind it, 0 or more
     * @return a new window
     */
    public SlidingWindow pads(int top, int left, int bottom, int right) {
        return new SlidingWindow(
                new Axis(y.size, y.stride, top, bottom, y.dilation),
                new Axis(x.size, x.stride, left, right, x.dilation));
    }

    /**
     * Returns the same window with dilations.
     *
     * @param down rows from one that it covers to the next, 1 or more
     * @param right columns from one that it covers to the next, 1 or more
     * @return a new window
     */
    public SlidingWindow dilations(int down, int right) {
        return new SlidingWindow(
                new Axis(y.size, y.stride, y.before, y.after, down),
                new Axis(x.size, x.stride, x.before, x.after, right));
    }

    /** The elements that it covers. */
    int taps() {
        return y.size * x.size;
    }

    /** Whether it covers an image at its first place. */
    boolean covers(ImageShape image) {
        return y.covers(image.height()) && x.covers(image.width());
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
