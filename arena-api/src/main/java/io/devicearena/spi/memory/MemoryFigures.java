package io.devicearena.spi.memory;

/**
 * What the memory of an arena takes beside the arena itself, for {@link io.devicearena.spi.ArenaBackend#figures}. A
 * backend implements it where its arenas have more than their bytes. It must not refer to an arena.
 *
 * <p><b>Threads:</b> safe for any thread. The methods may be called until the memory is freed, and while it is.
 */
public interface MemoryFigures {
    /** No shadow, and no staging. */
    MemoryFigures NONE = new MemoryFigures() {};

    /**
     * Returns the size of the f16 shadow.
     *
     * @return bytes, 0 or more; by default 0
     */
    default long shadowBytes() {
        return 0;
    }

    /**
     * Returns the size of the staging that the device has now. All arenas of a device share it: each returns the whole.
     *
     * @return bytes, 0 or more; by default 0
     */
    default long stagingBytes() {
        return 0;
    }

    /**
     * Returns the largest size of the staging since the device was opened.
     *
     * @return bytes, no less than {@link #stagingBytes} a moment before; by default 0
     */
    default long peakStagingBytes() {
        return 0;
    }
}
