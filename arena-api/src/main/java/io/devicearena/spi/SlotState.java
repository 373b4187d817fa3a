package io.devicearena.spi;

import io.devicearena.BufferSlot;

/** A value in an arena: its slot, which never changes, and its actual length, which may. */
final class SlotState {
    final BufferSlot slot;
    final long offset;
    final long capacity;
    /** Bytes that a read returns, 0 to {@link #capacity}. */
    volatile long length;

    SlotState(BufferSlot slot) {
        this.slot = slot;
        this.offset = slot.offset();
        this.capacity = slot.size();
        this.length = slot.size();
    }
}
