package io.devicearena;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

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
    /** Ranges without a segment's end, by their offsets: slots that share bytes are one range. Beside each other. */
    private final TreeMap<Long, BufferSlot> closed = new TreeMap<>();

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
        Map.Entry<Long, BufferSlot> last = closed.lastEntry();
        if (last == null || slot.offset() >= last.getValue().end()) {
            closed.put(slot.offset(), slot);
        } else if (slot.end() > last.getValue().end()) {
            closed.put(last.getKey(), new BufferSlot(last.getKey(), slot.end() - last.getKey()));
        }
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

    /** Returns where the segment ends that begins at an offset. */
    private long end(long begin) {
        long most = begin + maxSegmentBytes;
        Long next = large.higher(begin);
        return next != null && next < most ? requireEnd(next) : lastEnd(begin, most);
    }

    /** Requires that a segment may begin where a slot does that is larger than a segment; returns the offset. */
    private long requireEnd(long offset) {
        if ((offset & alignment - 1) != 0) {
            Map.Entry<NodeId, BufferSlot> found =
                    first(slot -> slot.size() > maxSegmentBytes && slot.offset() == offset);
            throw refused(found, "larger than a segment, to begin at a multiple of " + alignment, "");
        }
        if (rangeAround(offset) != null) {
            throw crossing(offset);
        }
        return offset;
    }

    /** Returns the last place, up to an offset, where the segment may end that begins at another offset. */
    private long lastEnd(long begin, long most) {
        long end = most;
        for (BufferSlot range = rangeAround(end); range != null; range = rangeAround(end)) {
            end = range.offset() & -alignment;
            if (end <= begin) {
                throw crossing(most);
            }
        }
        return end;
    }

    /** Returns the range that begins before an offset and ends after it, or null if a segment may end there. */
    private @Nullable BufferSlot rangeAround(long offset) {
        Map.Entry<Long, BufferSlot> before = closed.lowerEntry(offset);
        return before != null && before.getValue().end() > offset ? before.getValue() : null;
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
