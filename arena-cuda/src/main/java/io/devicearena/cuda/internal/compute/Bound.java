package io.devicearena.cuda.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** What a parameter of a kernel can be. Threads: safe for any thread. */
sealed interface Bound extends Binding permits ArenaWindow, DeviceBuffer, Bound.Constant {
    /** The arena that it belongs to. */
    CudaKernels owner();

    /** What it is, for messages. */
    String noun();

    /** The address on the device; throws if it is closed. */
    default long address() {
        throw new AssertionError(noun());
    }

    /** The parts of values that it was made for; none for other memory, and for a whole arena. */
    default List<Part> parts() {
        return List.of();
    }

    /** Bytes of the arena that hold a value or a part of it, or whose mirrors a window has. Threads: immutable. */
    record Part(NodeId id, BufferSlot bytes) {}

    /** A parameter by value. Threads: immutable. */
    record Constant(CudaKernels owner, MemorySegment value) implements Bound {
        @Override
        public String noun() {
            return "a uniform";
        }

        @Override
        public long bytes() {
            return value.byteSize();
        }
    }
}
