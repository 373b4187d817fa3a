package com.example.opencl;

import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Host memory that OpenCL allocated, which a driver keeps page-locked. Threads: safe for any thread. */
final class ClHostMemory implements HostAllocation {
    private final MemorySegment queue;
    private final MemorySegment buffer;
    private final MemorySegment mapped;
    private final Arena owner = Arena.ofShared();
    private final MemorySegment segment;

    ClHostMemory(MemorySegment queue, MemorySegment buffer, long bytes) {
        this.queue = queue;
        this.buffer = buffer;
        this.mapped = OpenCl.map(queue, buffer, bytes);
        this.segment = mapped.reinterpret(bytes, owner, null).fill((byte) 0);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void free() {
        owner.close(); // throws while a native call uses it
        OpenCl.unmap(queue, buffer, mapped);
        OpenCl.finish(queue);
        OpenCl.releaseBuffer(buffer);
    }
}
