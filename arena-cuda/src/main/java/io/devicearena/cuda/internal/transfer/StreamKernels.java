package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.AddressSpace;
import io.devicearena.cuda.internal.driver.Cuda;
import java.lang.foreign.ValueLayout;

/**
 * Launches the backend's own kernels.
 *
 * <p>Threads: safe for any thread, each with parameters of its own.
 */
final class StreamKernels {
    /** What {@link #cast} needs for its parameters. */
    static final long CAST_BYTES = 6 * Long.BYTES;

    private static final int THREADS = 256;
    private static final long CAST_ELEMENTS_PER_BLOCK = 1024;
    private static final long MAX_CAST_BLOCKS = 4096;
    private static final long COPY_BYTES_PER_BLOCK = 4096;
    private static final long MAX_COPY_BLOCKS = 1024;

    private final DeviceContext context;

    StreamKernels(DeviceContext context) {
        this.context = context;
    }

    /** Launches {@code da_copy_ranges}. */
    void copyRanges(int jobs, long longest, long stream, long pointers) {
        long blocks = Math.clamp((longest + COPY_BYTES_PER_BLOCK - 1) / COPY_BYTES_PER_BLOCK, 1, MAX_COPY_BLOCKS);
        context.noteKernel();
        Cuda.launch(context.kernel(RangeCopies.KERNEL), blocks, jobs, 1, THREADS, 1, 1, 0, stream, pointers);
    }

    /**
     * Launches a cast.
     *
     * @param kernel one of {@code da_f32_to_f16} and so on
     * @param parameters native memory of {@link #CAST_BYTES} bytes
     */
    void cast(long kernel, long from, long to, long elements, long stream, long parameters) {
        set(parameters, from);
        set(parameters + Long.BYTES, to);
        set(parameters + 2 * Long.BYTES, elements);
        long pointers = parameters + 3 * Long.BYTES;
        set(pointers, parameters);
        set(pointers + Long.BYTES, parameters + Long.BYTES);
        set(pointers + 2 * Long.BYTES, parameters + 2 * Long.BYTES);
        long blocks =
                Math.clamp((elements + CAST_ELEMENTS_PER_BLOCK - 1) / CAST_ELEMENTS_PER_BLOCK, 1, MAX_CAST_BLOCKS);
        context.noteKernel();
        Cuda.launch(kernel, blocks, 1, 1, THREADS, 1, 1, 0, stream, pointers);
    }

    private static void set(long at, long value) {
        AddressSpace.ALL.set(ValueLayout.JAVA_LONG, at, value);
    }
}
