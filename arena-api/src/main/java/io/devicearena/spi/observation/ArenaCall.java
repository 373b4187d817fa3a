package io.devicearena.spi.observation;

/**
 * A kind of call that moves bytes of an arena.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum ArenaCall {
    /** A typed or raw write. */
    WRITE,
    /** A fill or a copy on the device. */
    CHANGE,
    /** A typed or raw read. */
    READ,
    /** {@link io.devicearena.DeviceArena#writeBatch}. */
    WRITE_BATCH,
    /** {@link io.devicearena.DeviceArena#readBatch}. */
    READ_BATCH,
    /** {@link io.devicearena.DeviceArena#beginWrite}. */
    BEGIN_WRITE,
    /** {@link io.devicearena.DeviceArena#beginRead}. */
    BEGIN_READ;

    /** {@return whether the call reads} */
    public boolean isRead() {
        return this == READ || this == READ_BATCH || this == BEGIN_READ;
    }
}
