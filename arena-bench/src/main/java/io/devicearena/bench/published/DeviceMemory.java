package io.devicearena.bench.published;

/** The memory of a device, which counts what an engine asks of it. */
final class DeviceMemory {
    /** What allocations of CUDA begin at, and what bindings of most GPUs need: bytes. */
    private static final long ALIGNMENT = 256;

    /** Addresses between two allocations that belong to neither, so that their blocks do not join. */
    private static final long BETWEEN = 1L << 20;

    private long next;
    private long bytes;
    private int allocations;

    /** {@return the address of a new allocation} */
    long allocate(long size) {
        long address = next;
        long rounded = rounded(size, ALIGNMENT);
        next += rounded + BETWEEN;
        bytes += rounded;
        allocations++;
        return address;
    }

    /** {@return the address of bytes behind all others, in the one allocation of an engine that measures it before} */
    long append(long size) {
        long address = bytes;
        growTo(address + rounded(size, ALIGNMENT));
        return address;
    }

    /** Lets the one allocation have at least so many bytes. */
    void growTo(long size) {
        bytes = Math.max(bytes, size);
        allocations = 1;
    }

    long bytes() {
        return bytes;
    }

    int allocations() {
        return allocations;
    }

    /** {@return bytes rounded up to a multiple of a power of two} */
    static long rounded(long bytes, long multiple) {
        return (bytes + multiple - 1) & -multiple;
    }
}
