package io.devicearena;

import java.util.Objects;

/**
 * What a device allows.
 *
 * <p>An engine that plans with arena-planner passes the device to {@code PlanOptions.forDevice(device)}: every value
 * then begins where a binding may begin, and none is larger than one binding covers.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param maxArenaBytes the largest arena, plan and scratch together, in bytes, 1 or more
 * @param maxArenaName what the device's own interface calls that limit, for messages
 * @param alignmentBytes the alignment, in bytes, that copies and host access to a value prefer, a power of two
 * @param bindingAlignmentBytes the alignment, in bytes, at which a kernel's binding may begin, a power of two; equal to
 *     {@code alignmentBytes} on devices that have no rule of their own
 * @param maxBindingBytes the most bytes that one kernel binding covers, 1 or more; {@link Long#MAX_VALUE} when
 *     unlimited
 */
public record ArenaLimits(
        long maxArenaBytes,
        String maxArenaName,
        long alignmentBytes,
        long bindingAlignmentBytes,
        long maxBindingBytes) {
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
        requirePowerOfTwo("alignmentBytes", alignmentBytes);
        requirePowerOfTwo("bindingAlignmentBytes", bindingAlignmentBytes);
        if (maxBindingBytes < 1) {
            throw new IllegalArgumentException("maxBindingBytes: expected 1 or more, got " + maxBindingBytes);
        }
    }

    /**
     * Makes the limits of a device whose bindings may begin at every aligned value.
     *
     * @param maxArenaBytes the largest arena, plan and scratch together, in bytes, 1 or more
     * @param maxArenaName what the device's own interface calls that limit, for messages
     * @param alignmentBytes the alignment, in bytes, of values and of bindings, a power of two
     * @param maxBindingBytes the most bytes that one kernel binding covers, 1 or more
     * @throws IllegalArgumentException if a figure is out of its range
     */
    public ArenaLimits(long maxArenaBytes, String maxArenaName, long alignmentBytes, long maxBindingBytes) {
        this(maxArenaBytes, maxArenaName, alignmentBytes, alignmentBytes, maxBindingBytes);
    }

    private static void requirePowerOfTwo(String name, long bytes) {
        if (Long.bitCount(bytes) != 1 || bytes < 0) {
            throw new IllegalArgumentException(name + ": expected a power of two, got " + bytes);
        }
    }
}
