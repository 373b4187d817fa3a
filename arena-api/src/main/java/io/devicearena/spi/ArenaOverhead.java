package io.devicearena.spi;

/**
 * What an arena takes of memory beside its own bytes.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param shadowBytes the f16 shadow, on the device, 0 or more
 * @param stagingBytes the most that transfers of one value at a time take, 0 or more; large batches may take more. It
 *     is memory of the host, so of the device too where both are one
 */
public record ArenaOverhead(long shadowBytes, long stagingBytes) {
    /** Of an arena without shadow and staging. */
    public static final ArenaOverhead NONE = new ArenaOverhead(0, 0);

    /**
     * Makes the figures.
     *
     * @throws IllegalArgumentException if one is negative
     */
    public ArenaOverhead {
        if (shadowBytes < 0 || stagingBytes < 0) {
            throw new IllegalArgumentException(
                    "overhead: expected 0 or more bytes, got shadow " + shadowBytes + " and staging " + stagingBytes);
        }
    }
}
