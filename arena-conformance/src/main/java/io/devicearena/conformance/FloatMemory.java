package io.devicearena.conformance;

import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a caller for the floats of one arena, used again by each way in and out: to allocate long memory takes
 * longer than most of its copies. Threads: confined to the thread that opened it.
 */
final class FloatMemory implements AutoCloseable {
    private static final byte CHANGED = (byte) 0xEE;

    private final DeviceArena arena;
    private final int most;
    private final Arena confined = Arena.ofConfined();
    private final Arena shared = Arena.ofShared();
    private final MemorySegment source;
    private final MemorySegment destination;
    private @Nullable HostMemory host;

    /** Allocates native memory for so many floats at a time. */
    FloatMemory(DeviceArena arena, int most) {
        this.arena = arena;
        this.most = most;
        this.source = confined.allocate(4L * most + 1, Long.BYTES);
        this.destination = shared.allocate(4L * most + 1, Long.BYTES);
    }

    DeviceArena arena() {
        return arena;
    }

    /** Native memory at an odd address, confined to this thread. */
    MemorySegment source(int count) {
        return source.asSlice(1, 4L * count);
    }

    /** Native memory at an odd address, which holds no floats of an earlier read. */
    MemorySegment destination(int count) {
        return change(destination.asSlice(1, 4L * count));
    }

    /** Host memory of the arena. */
    MemorySegment host(int count) {
        if (host == null) {
            host = arena.allocateHost(4L * most + Integer.BYTES);
        }
        return host.segment().asSlice(Integer.BYTES, 4L * count);
    }

    /** Changes every byte, so that floats which the arena reads or writes too late show. */
    static MemorySegment change(MemorySegment memory) {
        return memory.fill(CHANGED);
    }

    @Override
    public void close() {
        confined.close();
        shared.close();
        if (host != null) {
            host.close();
        }
    }
}
