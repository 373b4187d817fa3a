package io.devicearena.conformance.sequence;

import io.devicearena.HostMemory;
import java.lang.foreign.MemorySegment;

/** Host memory of an arena, and what it must hold. */
final class Host {
    final int key;
    final Held owner;
    final HostMemory memory;
    final MemorySegment segment;
    final MemorySegment expected;
    int users;

    Host(int key, Held owner, HostMemory memory, long bytes) {
        this.key = key;
        this.owner = owner;
        this.memory = memory;
        this.segment = memory.segment();
        this.expected = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }

    /** Expects from now on what a part holds now. */
    void keep(MemorySegment part) {
        expected.asSlice(part.address() - segment.address(), part.byteSize()).copyFrom(part);
    }
}
