package io.devicearena.bench.published;

/**
 * The arena of ONNX Runtime with its defaults: best fit with coalescing (BFC) in regions that double.
 *
 * <p><b>Source:</b> ONNX Runtime's documentation of {@code OrtArenaCfg}: {@code kNextPowerOfTwo}, {@code
 * initial_chunk_size_bytes} of 1 MiB, {@code max_dead_bytes_per_chunk} of 128 MiB, {@code
 * max_power_of_two_extend_bytes} of 1 GiB. The rules of a BFC allocator are those of TensorFlow's, from which it comes:
 * sizes are multiples of 256 bytes; a block is divided when it has twice the request, or the dead bytes to spare.
 */
final class OnnxRuntimeArena implements StepAllocator {
    private static final long GRANULE = 256;
    private static final long FIRST_REGION = 1L << 20;
    private static final long MAX_DEAD_BYTES = 128L << 20;
    private static final long MAX_DOUBLING = 1L << 30;

    private final Blocks blocks =
            new Blocks((block, request) -> block >= 2 * request || block - request >= MAX_DEAD_BYTES);
    private final DeviceMemory device;
    private long region = FIRST_REGION;

    OnnxRuntimeArena(DeviceMemory device) {
        this.device = device;
    }

    @Override
    public long allocate(long bytes) {
        long size = DeviceMemory.rounded(bytes, GRANULE);
        long address = blocks.allocate(size);
        if (address >= 0) {
            return address;
        }
        long extent = extent(size);
        blocks.addFree(device.allocate(extent), extent);
        return blocks.allocate(size);
    }

    private long extent(long size) {
        if (size > MAX_DOUBLING) {
            return size;
        }
        boolean grown = size > region;
        while (size > region) {
            region *= 2;
        }
        long extent = region;
        region = grown ? region : Math.min(2 * region, MAX_DOUBLING);
        return extent;
    }

    @Override
    public void free(long address) {
        blocks.free(address);
    }
}
