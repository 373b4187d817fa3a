package io.devicearena.spi;

/** What an arena knows of one value: its slot, which never changes, and its actual length, which may. */
final class SlotState {
    final long offset;
    final long capacity;
    /** Bytes that a read returns, 0 to {@link #capacity}. */
    volatile long length;

    SlotState(long offset, long capacity) {
        this.offset = offset;
        this.capacity = capacity;
        this.length = capacity;
    }
}
