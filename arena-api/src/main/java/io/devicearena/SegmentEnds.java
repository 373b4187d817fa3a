package io.devicearena;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
    /** The offsets of slots that are larger than a segment, in ascending order. */
    private final long[] large;
    /** Ranges without a segment's end: slots that share bytes are one range. In ascending order, beside each other. */
    private final List<BufferSlot> closed = new ArrayList<>();

    SegmentEnds(Map<NodeId, BufferSlot> slots, long maxSegmentBytes, long alignment) {
        this.slots = slots;
        this.maxSegmentBytes = maxSegmentBytes;
        this.alignment = alignment;
        this.large = slots.values().stream()
                .filter(slot -> slot.size() > maxSegmentBytes)
                .mapToLong(BufferSlot::offset)
                .sorted()
                .toArray();
        slots.values().stream()
                .filter(slot -> slot.size() > 0 && slot.size() <= maxSegmentBytes)
                .sorted(Comparator.comparingLong(BufferSlot::offset))
                .forEach(this::close);
    }

    private void close(BufferSlot slot) {
        if (!closed.isEmpty() && slot.offset() < closed.getLast().end()) {
            BufferSlot last = closed.removeLast();
            closed.add(new BufferSlot(last.offset(), Math.max(last.end(), slot.end()) - last.offset()));
        } else {
            closed.add(slot);
        }
    }

    /** Returns where the segments of an arena begin; the first is 0. */
    long[] starts(long sizeBytes) {
        long[] starts = new long[16];
        int count = 1;
        int nextLarge = 0;
        for (long begin = 0; sizeBytes - begin > maxSegmentBytes; count++) {
            while (nextLarge < large.length && large[nextLarge] <= begin) {
                nextLarge++;
            }
            long most = begin + maxSegmentBytes;
            long end = nextLarge < large.length && large[nextLarge] < most
                    ? requireEnd(large[nextLarge])
                    : lastEnd(begin, most);
            starts = count == starts.length ? Arrays.copyOf(starts, 2 * count) : starts;
            starts[count] = end;
            begin = end;
        }
        return Arrays.copyOf(starts, count);
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
        int low = 0;
        int high = closed.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (closed.get(middle).offset() < offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low > 0 && closed.get(low - 1).end() > offset ? closed.get(low - 1) : null;
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
