package io.devicearena.kernels.convolution;

import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelFacts;

/**
 * The shape of images: F32 [batch][channels][height][width], dense. A signal is an image of height 1.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param batch how many images, 1 or more
 * @param channels of an image, 1 or more
 * @param height the rows of a channel, 1 or more
 * @param width the elements of a row, 1 or more
 */
public record ImageShape(int batch, int channels, int height, int width) {
    private static final int THREADS = 64;

    /** Checks that there is an element, and fewer than 2^31. */
    public ImageShape {
        if (batch < 1 || channels < 1 || height < 1 || width < 1) {
            throw new IllegalArgumentException("images: expected dimensions of 1 or more, got " + batch + " x "
                    + channels + " x " + height + " x " + width);
        }
        double all = (double) batch * channels * height * width;
        if (all > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("images: expected fewer than 2^31 elements, got " + batch + " x "
                    + channels + " x " + height + " x " + width);
        }
    }

    /** {@return the elements of a channel} */
    public int pixels() {
        return height * width;
    }

    /** {@return the elements of all images} */
    public int elements() {
        return batch * channels * height * width;
    }

    /** {@return the bytes of all images} */
    long bytes() {
        return (long) elements() * Float.BYTES;
    }

    /** Workgroups of 64 threads, one for each element, in rows that a device can have. */
    Workgroups workgroups(KernelFacts facts) {
        int groups = (elements() - 1) / THREADS + 1;
        int rows = (groups - 1) / facts.maxWorkgroups() + 1;
        return Workgroups.of((groups - 1) / rows + 1, rows);
    }
}
