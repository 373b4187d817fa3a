package io.devicearena.kernels.convolution;

import io.devicearena.kernels.step.Loops;
import java.util.List;

/** The shape of images: F32 [batch][channels][height][width], dense. A signal is an image of height 1. */
record ImageShape(int batch, int channels, int height, int width) {
    private static final int THREADS = 64;

    /** Checks that there is an element, and fewer than 2^31. */
    static ImageShape of(List<Long> shape) {
        boolean isSignal = shape.size() == 3;
        if ((!isSignal && shape.size() != 4) || shape.stream().anyMatch(extent -> extent < 1)) {
            throw new IllegalArgumentException(
                    "images: expected [batch, channels, width] or [batch, channels, height, width], each 1 or more, got "
                            + shape);
        }
        if (Loops.product(shape) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("images: expected fewer than 2^31 elements, got " + shape);
        }
        int height = isSignal ? 1 : shape.get(2).intValue();
        return new ImageShape(
                shape.get(0).intValue(),
                shape.get(1).intValue(),
                height,
                shape.getLast().intValue());
    }

    /** The elements of a channel. */
    int pixels() {
        return height * width;
    }

    /** The channels of all images. */
    int planes() {
        return batch * channels;
    }

    int elements() {
        return planes() * pixels();
    }

    /** The number of the first element of a row of a plane. */
    long row(int plane, int y) {
        return ((long) plane * height + y) * width;
    }

    long bytes() {
        return (long) elements() * Float.BYTES;
    }

    /** Workgroups of 64 threads, one for each element. */
    int workgroups() {
        return (elements() - 1) / THREADS + 1;
    }
}
