package io.devicearena;

import java.util.Objects;

/**
 * What a device allows.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param maxArenaBytes the largest arena, plan and scratch together, in bytes, 1 or more
 * @param maxArenaName what the device's own interface calls that limit, for messages
 * @param alignmentBytes the alignment, in bytes, that slots should have on this device, a power of two
 * @param maxBindingBytes the most bytes that one kernel binding covers, 1 or more; {@link Long#MAX_VALUE} when unlimited
 */
public record ArenaLimits(long maxArenaBytes, String maxArenaName, long alignmentBytes, long maxBindingBytes) {
    /**
     * Makes the limits.
     *
     * @throws IllegalArgumentException if a figure is out of its range
     */
    public ArenaLimits {
        if (maxArenaBytes < 1) {
            throw new IllegalArgumentException("maxArenaBytes: expected 1 or more, got " + maxArenaBytes);
        }
        Objects.requireNonNull(maxArenaName, "maxArenaName");
        if (alignmentBytes < 1 || Long.bitCount(alignmentBytes) != 1) {
            throw new IllegalArgumentException("alignmentBytes: expected a power of two, got " + alignmentBytes);
        }
        if (maxBindingBytes < 1) {
            throw new IllegalArgumentException("maxBindingBytes: expected 1 or more, got " + maxBindingBytes);
        }
    }
}
