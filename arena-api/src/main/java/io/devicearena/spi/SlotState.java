package io.devicearena.spi;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A slot, with the type and the actual length of its value. Threads: safe for any thread. */
final class SlotState {
    final NodeId id;
    final BufferSlot slot;
    /** The bytes that typed writes reach: those of the elements where the plan knows them, else the slot. */
    final long valueBytes;
    /** The only type of typed access, or null for any. */
    final @Nullable DType dtype;
    /** Bytes that a read returns, 0 to those of the slot. */
    volatile long length;

    SlotState(NodeId id, BufferSlot slot, @Nullable PlanValue value, boolean reinterpretation) {
        this.id = id;
        this.slot = slot;
        this.valueBytes = value == null || reinterpretation ? slot.size() : value.bytes();
        this.dtype = value == null || reinterpretation ? null : value.dtype();
        this.length = value == null ? slot.size() : value.bytes();
    }

    /** A transfer of a part of the value as it is, from an offset in the arena. */
    Span bytes(long from, MemorySegment memory) {
        return new Span(
                new BufferSlot(from, memory.byteSize()),
                memory.byteSize(),
                dtype == null ? DType.U8 : dtype,
                false,
                Optional.of(id),
                memory);
    }

    /** A transfer of host floats from or to the start of the value. */
    Span floats(DType type, MemorySegment memory, long elements) {
        return new Span(slot, elements * type.bytes(), type, true, Optional.of(id), memory);
    }
}
