package io.devicearena;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * Where the segments of an arena end: an arena is one range of bytes, held in one or more buffers of the device.
 *
 * <p>The layout follows from the slots of a plan. Segments may differ in size, so that they end between values:
 *
 * <ul>
 *   <li>no segment is larger than the device's largest one;
 *   <li>no slot that one segment could hold crosses the end of a segment;
 *   <li>a larger slot begins where a segment begins;
 *   <li>segments end at multiples of the alignment.
 * </ul>
 *
 * <p>Among the layouts with these properties this one has the fewest segments, each as long as it can be. The scratch
 * after the plan is not a slot; it may cross the end of a segment.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SegmentLayout {
    private final long sizeBytes;
    /** Where the segments begin, in ascending order; the first at 0. */
    private final long[] starts;

    private SegmentLayout(long sizeBytes, long[] starts) {
        this.sizeBytes = sizeBytes;
        this.starts = starts;
    }

    /**
     * {@return the segments of an arena}
     *
     * @param slots the slots of the plan; they may share bytes
     * @param sizeBytes the size of the arena, in bytes, at least the end of every slot
     * @param maxSegmentBytes the largest segment, in bytes, 1 or more; a multiple of the alignment unless it holds the
     *     arena
     * @param alignment what segments end at multiples of: bytes, a power of two
     * @throws IllegalArgumentException if there is no such layout; the message has the first value that crosses the end
     *     of a segment, the size of the segment and the way out
     */
    public static SegmentLayout of(
            Map<NodeId, BufferSlot> slots, long sizeBytes, long maxSegmentBytes, long alignment) {
        if (sizeBytes <= maxSegmentBytes) {
            return new SegmentLayout(sizeBytes, new long[1]);
        }
        if (maxSegmentBytes < 1 || maxSegmentBytes % alignment != 0) {
            throw new IllegalArgumentException("segment size: expected a multiple of the alignment of " + alignment
                    + " bytes, got " + maxSegmentBytes);
        }
        return new SegmentLayout(sizeBytes, new SegmentEnds(slots, maxSegmentBytes, alignment).starts(sizeBytes));
    }

    /**
     * {@return whether there is a layout, for planners that try several placements: false if {@link #of} throws}
     *
     * @param slots as for {@link #of}
     * @param sizeBytes as for {@link #of}
     * @param maxSegmentBytes as for {@link #of}
     * @param alignment as for {@link #of}
     */
    public static boolean exists(Map<NodeId, BufferSlot> slots, long sizeBytes, long maxSegmentBytes, long alignment) {
        try {
            of(slots, sizeBytes, maxSegmentBytes, alignment);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** {@return how many segments there are, 1 or more} */
    public int count() {
        return starts.length;
    }

    /**
     * {@return where a segment begins: bytes from the arena's start}
     *
     * @param segment its index, 0 to {@code count() - 1}
     */
    public long start(int segment) {
        return starts[segment];
    }

    /**
     * {@return where a segment ends: the first byte that is not in it, from the arena's start}
     *
     * @param segment its index, 0 to {@code count() - 1}
     */
    public long end(int segment) {
        return segment + 1 < starts.length ? starts[segment + 1] : sizeBytes;
    }

    /**
     * {@return the index of the segment that holds a byte}
     *
     * @param offset bytes from the arena's start, 0 or more; offsets from the arena's end on belong to the last segment
     */
    public int indexOf(long offset) {
        if (starts.length == 1) {
            return 0;
        }
        int found = Arrays.binarySearch(starts, offset);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SegmentLayout that && sizeBytes == that.sizeBytes && Arrays.equals(starts, that.starts);
    }

    @Override
    public int hashCode() {
        return Objects.hash(sizeBytes, Arrays.hashCode(starts));
    }

    @Override
    public String toString() {
        return "SegmentLayout[sizeBytes=" + sizeBytes + ", starts=" + Arrays.toString(starts) + "]";
    }
}
