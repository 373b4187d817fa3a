package io.devicearena;

import java.util.Objects;

/**
 * What a device allows, each limit with the name that the device's own interface has for it.
 *
 * <p>An arena is one range of bytes, held in one or more segments, each a buffer of the device ({@link SegmentLayout}).
 * An engine that plans with arena-planner passes the device to {@code PlanOptions.forDevice(device)}: every value then
 * begins where a binding may begin, and none crosses the end of a segment that could hold it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param maxArenaBytes the largest arena, plan and scratch together, in bytes, 1 or more
 * @param maxArenaName its name, for messages
 * @param maxSegmentBytes the largest segment of an arena, in bytes, 1 to {@code maxArenaBytes}; if it is less, a
 *     multiple of both alignments
 * @param maxSegmentName its name
 * @param maxBindingBytes the most bytes that one kernel binding covers, 1 or more; {@link Long#MAX_VALUE} when
 *     unlimited
 * @param maxBindingName its name
 * @param bindingAlignmentBytes the alignment, in bytes, at which a kernel's binding may begin in a segment, a power of
 *     two
 * @param bindingAlignmentName its name
 * @param alignmentBytes the alignment, in bytes, that copies and host access to a value prefer, a power of two;
 *     segments end at multiples of it
 */
public record ArenaLimits(
        long maxArenaBytes,
        String maxArenaName,
        long maxSegmentBytes,
        String maxSegmentName,
        long maxBindingBytes,
        String maxBindingName,
        long bindingAlignmentBytes,
        String bindingAlignmentName,
        long alignmentBytes) {
    /**
     * Makes the limits.
     *
     * @throws IllegalArgumentException if a figure is out of its range
     */
    public ArenaLimits {
        requirePositive("maxArenaBytes", maxArenaBytes);
        requirePositive("maxSegmentBytes", maxSegmentBytes);
        requirePositive("maxBindingBytes", maxBindingBytes);
        Objects.requireNonNull(maxArenaName, "maxArenaName");
        Objects.requireNonNull(maxSegmentName, "maxSegmentName");
        Objects.requireNonNull(maxBindingName, "maxBindingName");
        Objects.requireNonNull(bindingAlignmentName, "bindingAlignmentName");
        requirePowerOfTwo("alignmentBytes", alignmentBytes);
        requirePowerOfTwo("bindingAlignmentBytes", bindingAlignmentBytes);
        long unit = Math.max(alignmentBytes, bindingAlignmentBytes);
        if (maxSegmentBytes > maxArenaBytes || (maxSegmentBytes < maxArenaBytes && maxSegmentBytes % unit != 0)) {
            throw new IllegalArgumentException("maxSegmentBytes: expected the " + maxArenaBytes
                    + " bytes of the largest arena, or fewer in a multiple of " + unit + ", got " + maxSegmentBytes);
        }
    }

    /**
     * Makes the limits of a device that holds an arena in one segment, and whose bindings may begin at every aligned
     * value.
     *
     * @param maxArenaBytes the largest arena, plan and scratch together, in bytes, 1 or more
     * @param maxArenaName what the device's own interface calls that limit
     * @param alignmentBytes the alignment, in bytes, of values and of bindings, a power of two
     * @param maxBindingBytes the most bytes that one kernel binding covers, 1 or more; {@link Long#MAX_VALUE} when
     *     unlimited
     * @throws IllegalArgumentException if a figure is out of its range
     */
    public ArenaLimits(long maxArenaBytes, String maxArenaName, long alignmentBytes, long maxBindingBytes) {
        this(
                maxArenaBytes,
                maxArenaName,
                maxArenaBytes,
                maxArenaName,
                maxBindingBytes,
                "binding size",
                alignmentBytes,
                "alignment",
                alignmentBytes);
    }

    /**
     * {@return these limits for a device that holds an arena in several segments}
     *
     * @param bytes the largest segment, in bytes, 1 to {@link #maxArenaBytes}
     * @param name what the device's own interface calls that limit
     * @throws IllegalArgumentException if the size is out of its range
     */
    public ArenaLimits withSegments(long bytes, String name) {
        return new ArenaLimits(
                maxArenaBytes,
                maxArenaName,
                bytes,
                name,
                maxBindingBytes,
                maxBindingName,
                bindingAlignmentBytes,
                bindingAlignmentName,
                alignmentBytes);
    }

    /**
     * {@return these limits for a device that has rules of its own for bindings}
     *
     * @param bytes the most bytes that one binding covers, 1 or more
     * @param name what the device's own interface calls that limit
     * @param alignment the alignment, in bytes, at which a binding may begin, a power of two
     * @param alignmentName what the device's own interface calls that alignment
     * @throws IllegalArgumentException if a figure is out of its range
     */
    public ArenaLimits withBindings(long bytes, String name, long alignment, String alignmentName) {
        return new ArenaLimits(
                maxArenaBytes,
                maxArenaName,
                maxSegmentBytes,
                maxSegmentName,
                bytes,
                name,
                alignment,
                alignmentName,
                alignmentBytes);
    }

    private static void requirePositive(String name, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException(name + ": expected 1 or more, got " + bytes);
        }
    }

    private static void requirePowerOfTwo(String name, long bytes) {
        if (Long.bitCount(bytes) != 1 || bytes < 0) {
            throw new IllegalArgumentException(name + ": expected a power of two, got " + bytes);
        }
    }
}
