package io.devicearena.bench.published;

/**
 * The graph allocator of ggml: it goes through the nodes once before the first execution, and the highest end is the
 * size of its one buffer. Each node gets the best fit of the free blocks, else memory at the end.
 *
 * <p><b>Source:</b> the comments of ggml's {@code ggml-alloc.h} on {@code ggml_gallocr_reserve}; offsets are multiples
 * of 128 bytes, as its backend for CUDA needs. Which ops ggml runs in place is not modelled: the buffers of a trace
 * have such ops joined already.
 */
final class GgmlAllocator implements StepAllocator {
    private static final long ALIGNMENT = 128;
    private static final long UNLIMITED = 1L << 60;

    private final Blocks blocks = new Blocks((block, request) -> block > request);
    private final DeviceMemory device;

    GgmlAllocator(DeviceMemory device) {
        this.device = device;
        blocks.addFree(0, UNLIMITED);
    }

    @Override
    public long allocate(long bytes) {
        long size = DeviceMemory.rounded(bytes, ALIGNMENT);
        long address = blocks.allocate(size);
        device.growTo(address + size);
        return address;
    }

    @Override
    public void free(long address) {
        blocks.free(address);
    }
}
