package io.devicearena.kernels.convolution;

import java.util.Objects;

/**
 * The shapes of a transposed convolution: the window moves over the output.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param input the shape of what is convolved
 * @param outChannels the channels of the result, 1 or more
 * @param groups how many parts of the channels are convolved by themselves; it divides both numbers of channels
 * @param window the size of the kernels, and how they move over the result; its padding is cut off the result
 * @param moreRows rows that the result has beyond those, below; less than the stride or the dilation
 * @param moreColumns columns that the result has beyond those, to the right; less than the stride or the dilation
 */
public record TransposedShape(
        ImageShape input, int outChannels, int groups, SlidingWindow window, int moreRows, int moreColumns) {
    /** Checks that the groups divide the channels, and that something is left of the result. */
    public TransposedShape {
        Objects.requireNonNull(window, "window");
        ConvolutionShape.requireGroups(input.channels(), outChannels, groups);
        requireMore(moreRows, window.y());
        requireMore(moreColumns, window.x());
        output(input, outChannels, window, moreRows, moreColumns);
    }

    private static void requireMore(int more, SlidingWindow.Axis axis) {
        int most = Math.max(axis.stride(), axis.dilation()) - 1;
        if (more < 0 || more > most) {
            throw new IllegalArgumentException(
                    "transposed convolution: expected output padding of 0 to " + most + ", got " + more);
        }
    }

    private static ImageShape output(ImageShape input, int channels, SlidingWindow window, int rows, int columns) {
        return new ImageShape(
                input.batch(),
                channels,
                length(input.height(), window.y()) + rows,
                length(input.width(), window.x()) + columns);
    }

    private static int length(int places, SlidingWindow.Axis axis) {
        return (places - 1) * axis.stride() + axis.span() - axis.before() - axis.after();
    }

    /** {@return the shape of the result} */
    public ImageShape output() {
        return output(input, outChannels, window, moreRows, moreColumns);
    }

    /** {@return the elements of all kernels: channels x (outChannels / groups) x height x width of the window} */
    public int weights() {
        return Math.multiplyExact(input.channels(), outChannels / groups * window.taps());
    }
}
