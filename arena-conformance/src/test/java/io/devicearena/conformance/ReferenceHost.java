package io.devicearena.conformance;

import io.devicearena.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Host memory of a reference arena. Threads: safe for any thread. */
class ReferenceHost implements HostMemory {
    final Arena owner = Arena.ofShared();
    final MemorySegment segment;

    ReferenceHost(long bytes) {
        segment = owner.allocate(bytes, 8);
    }

    @Override
    public long byteSize() {
        return segment.byteSize();
    }

    @Override
    public MemorySegment segment() {
        if (!isOpen()) {
            throw new IllegalStateException("host memory: expected it open, got it closed");
        }
        return segment;
    }

    @Override
    public boolean isOpen() {
        return owner.scope().isAlive();
    }

    @Override
    public synchronized void close() {
        if (isOpen()) {
            owner.close();
        }
    }
}
