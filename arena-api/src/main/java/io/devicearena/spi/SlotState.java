package io.devicearena.spi;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.PlanValue;
import org.jspecify.annotations.Nullable;

/** A slot, with the type and the actual length of its value. Threads: safe for any thread. */
final class SlotState {
    final BufferSlot slot;
    final long offset;
    /** The bytes of the slot. */
    final long capacity;
    /** The bytes that typed writes reach: those of the elements where the plan knows them, else the slot. */
    final long valueBytes;
    /** The only type of typed access, or null for any. */
    final @Nullable DType dtype;
    /** Bytes that a read returns, 0 to {@link #capacity}. */
    volatile long length;

    SlotState(BufferSlot slot, @Nullable PlanValue value, boolean reinterpretation) {
        this.slot = slot;
        this.offset = slot.offset();
        this.capacity = slot.size();
        this.valueBytes = value == null || reinterpretation ? slot.size() : value.bytes();
        this.dtype = value == null || reinterpretation ? null : value.dtype();
        this.length = value == null ? slot.size() : value.bytes();
    }
}
