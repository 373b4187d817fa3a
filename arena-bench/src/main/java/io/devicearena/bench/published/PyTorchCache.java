package io.devicearena.bench.published;

/**
 * PyTorch's caching allocator for CUDA with its defaults.
 *
 * <p><b>Source:</b> DeVito, "A guide to PyTorch's CUDA Caching Allocator", 2022. Sizes are multiples of 512 bytes.
 * Requests of up to 1 MiB share segments of 2 MiB, those below 10 MiB share segments of 20 MiB, and a larger one gets
 * a segment of a multiple of 2 MiB. A small block is divided when 512 bytes are left, a large one when more than 1 MiB
 * is.
 */
final class PyTorchCache implements StepAllocator {
    private static final long GRANULE = 512;
    private static final long SMALL_REQUEST = 1L << 20;
    private static final long SMALL_SEGMENT = 2L << 20;
    private static final long LARGE_REQUEST = 10L << 20;
    private static final long LARGE_SEGMENT = 20L << 20;

    private final Blocks small = new Blocks((block, request) -> block - request >= GRANULE);
    private final Blocks large = new Blocks((block, request) -> block - request > SMALL_REQUEST);
    private final DeviceMemory device;

    PyTorchCache(DeviceMemory device) {
        this.device = device;
    }

    @Override
    public long allocate(long bytes) {
        long size = DeviceMemory.rounded(bytes, GRANULE);
        Blocks pool = size <= SMALL_REQUEST ? small : large;
        long address = pool.allocate(size);
        if (address < 0) {
            long segment = segmentBytes(size);
            pool.addFree(device.allocate(segment), segment);
            address = pool.allocate(size);
        }
        return address;
    }

    private static long segmentBytes(long size) {
        long large = size < LARGE_REQUEST ? LARGE_SEGMENT : DeviceMemory.rounded(size, SMALL_SEGMENT);
        return size <= SMALL_REQUEST ? SMALL_SEGMENT : large;
    }

    @Override
    public void free(long address) {
        if (!small.free(address)) {
            large.free(address);
        }
    }
}
