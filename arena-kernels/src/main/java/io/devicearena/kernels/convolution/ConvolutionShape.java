package io.devicearena.kernels.convolution;

import java.util.Objects;

/**
 * The shapes of a convolution.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param input the shape of what is convolved
 * @param outChannels the channels of the result, 1 or more
 * @param groups how many parts of the channels are convolved by themselves; it divides both numbers of channels. With
 *     as many groups as channels, the convolution is depthwise
 * @param window the size of the kernels, and how they move
 */
public record ConvolutionShape(ImageShape input, int outChannels, int groups, SlidingWindow window) {
    /** Checks that the groups divide the channels, and that the window fits. */
    public ConvolutionShape {
        Objects.requireNonNull(window, "window");
        requireGroups(input.channels(), outChannels, groups);
        output(input, outChannels, window);
    }

    static void requireGroups(int inChannels, int outChannels, int groups) {
        if (outChannels < 1 || groups < 1 || inChannels % groups != 0 || outChannels % groups != 0) {
            throw new IllegalArgumentException("convolution: expected groups that divide the channels, got " + groups
                    + " groups of " + inChannels + " and " + outChannels + " channels");
        }
    }

    private static ImageShape output(ImageShape input, int channels, SlidingWindow window) {
        return new ImageShape(
                input.batch(),
                channels,
                window.y().places(input.height(), false),
                window.x().places(input.width(), false));
    }

    /** {@return the shape of the result} */
    public ImageShape output() {
        return output(input, outChannels, window);
    }

    /** {@return the elements of all kernels: outChannels x (channels / groups) x height x width of the window} */
    public int weights() {
        return Math.multiplyExact(outChannels, depth());
    }

    /** The products of an element of the result. */
    int depth() {
        return input.channels() / groups * window.taps();
    }
}
