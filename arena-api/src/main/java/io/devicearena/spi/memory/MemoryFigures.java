package io.devicearena.spi.memory;

/**
 * What the memory of an arena takes beside the arena itself at one moment, for
 * {@link io.devicearena.spi.ArenaBackend#figures}.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param shadowBytes the size of the f16 shadow, 0 or more
 * @param stagingBytes the size of the staging that the device has now, 0 or more. All arenas of a device share it: each
 *     has the whole
 * @param peakStagingBytes the largest size of the staging since the device was opened
 */
public record MemoryFigures(long shadowBytes, long stagingBytes, long peakStagingBytes) {
    /** No shadow, and no staging. */
    public static final MemoryFigures NONE = new MemoryFigures(0, 0, 0);
}
