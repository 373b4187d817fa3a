package io.devicearena;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * Finds where segments may end: between slots, and in slots that no segment holds.
 *
 * <p>Each segment is made as long as it can be. That gives the fewest segments, and misses no layout: a segment that
 * ends later leaves less to divide.
 *
 * <p>Threads: one thread at a time.
 */
final class SegmentEnds {
    private final Map<NodeId, BufferSlot> slots;
    private final long maxSegmentBytes;
    private final long alignment;
    /** The offsets of slots that are larger than a segment. */
    private final TreeSet<Long> large = new TreeSet<>();
    /** The ends of ranges without a segment's end, by their offsets: slots that share bytes are one range. */
    private final TreeMap<Long, Long> closed = new TreeMap<>();

    SegmentEnds(Map<NodeId, BufferSlot> slots, long maxSegmentBytes, long alignment) {
        this.slots = slots;
        this.maxSegmentBytes = maxSegmentBytes;
        this.alignment = alignment;
        slots.values().stream()
                .sorted(Comparator.comparingLong(BufferSlot::offset))
                .forEach(slot -> {
                    if (slot.size() > maxSegmentBytes) {
                        large.add(slot.offset());
                    } else if (slot.size() > 0) {
                        close(slot);
                    }
                });
    }

    private void close(BufferSlot slot) {
        Map.Entry<Long, Long> last = closed.lastEntry();
        boolean isApart = last == null || slot.offset() >= last.getValue();
        closed.merge(isApart ? slot.offset() : last.getKey(), slot.end(), Math::max);
    }

    /** Returns where the segments of an arena begin; the first is 0. */
    long[] starts(long sizeBytes) {
        LongStream.Builder starts = LongStream.builder();
        long begin = 0;
        starts.add(begin);
        while (sizeBytes - begin > maxSegmentBytes) {
            begin = end(begin);
            starts.add(begin);
        }
        return starts.build().toArray();
    }

    /** Returns where the segment ends that begins at an offset: before the next slot that is larger than a segment. */
    private long end(long begin) {
        long most = begin + maxSegmentBytes;
        Long next = large.higher(begin);
        if (next == null || next >= most) {
            return lastEnd(begin, most);
        }
        if ((next & alignment - 1) != 0) {
            throw refused(
                    first(slot -> slot.size() > maxSegmentBytes && slot.offset() == next),
                    "larger than a segment, to begin at a multiple of " + alignment,
                    "");
        }
        if (lastEnd(begin, next) < next) {
            throw crossing(next);
        }
        return next;
    }

    /** Returns the last place, up to an offset, where the segment may end that begins at another offset. */
    private long lastEnd(long begin, long most) {
        long end = most;
        Map.Entry<Long, Long> before = closed.lowerEntry(end);
        while (before != null && before.getValue() > end) {
            end = before.getKey() & -alignment;
            if (end <= begin) {
                throw crossing(most);
            }
            before = closed.lowerEntry(end);
        }
        return end;
    }

    /** Makes the exception for the first slot that crosses an offset and would fit a segment. */
    private IllegalArgumentException crossing(long offset) {
        Map.Entry<NodeId, BufferSlot> found =
                first(slot -> slot.size() <= maxSegmentBytes && slot.offset() < offset && slot.end() > offset);
        return refused(found, "within one segment", ", which cross byte " + offset);
    }

    private Map.Entry<NodeId, BufferSlot> first(Predicate<BufferSlot> wanted) {
        return slots.entrySet().stream()
                .filter(entry -> wanted.test(entry.getValue()))
                .min(Comparator.comparingLong(entry -> entry.getValue().offset()))
                .orElseThrow();
    }

    private IllegalArgumentException refused(Map.Entry<NodeId, BufferSlot> entry, String expected, String where) {
        BufferSlot slot = entry.getValue();
        return new IllegalArgumentException(entry.getKey() + ": expected a slot " + expected
                + " (segments have at most " + maxSegmentBytes + " bytes), got " + slot.size() + " bytes at "
                + slot.offset() + where + "; plan with PlanOptions.forDevice(device)");
    }
}
