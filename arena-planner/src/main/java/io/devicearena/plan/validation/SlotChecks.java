package io.devicearena.plan.validation;

import io.devicearena.BufferSlot;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What must hold for slots, whatever graph they belong to. */
final class SlotChecks {
    private SlotChecks() {}

    /** A buffer and the slot that a plan gives it. */
    record Placed(LiveBuffer buffer, BufferSlot slot) {
        private String describe() {
            return "offset " + slot.offset() + ", size " + slot.size() + ", live range [" + buffer.firstStep() + ", "
                    + buffer.endStep() + ")";
        }
    }

    /** Checks the size, alignment and boundary of one slot; a boundary of 0 is none. */
    static void check(String name, BufferSlot slot, long bytes, long alignment, long boundary) {
        if (slot.size() < bytes) {
            throw new InvalidPlanException(
                    name + ": expected a slot of at least " + bytes + " bytes, got " + slot.size());
        }
        if (slot.offset() % alignment != 0) {
            throw new InvalidPlanException(
                    name + ": expected an offset that is a multiple of " + alignment + ", got " + slot.offset());
        }
        if (boundary > 0 && slot.size() > boundary - slot.offset() % boundary) {
            throw new InvalidPlanException(name + ": expected a slot that crosses no multiple of " + boundary
                    + " bytes, got offset " + slot.offset() + " and size " + slot.size());
        }
    }

    /**
     * Checks that no two buffers that are live at one step share a byte, in O(n log n): a sweep over the steps keeps
     * the live buffers by offset and compares each that begins with its two neighbours.
     *
     * <p><b>Source:</b> Shamos and Hoey, "Geometric Intersection Problems", 1976.
     */
    static void checkOverlaps(List<Placed> placed) {
        List<Placed> begins = new ArrayList<>(placed);
        begins.removeIf(each -> each.slot().size() == 0
                || each.buffer().firstStep() == each.buffer().endStep());
        begins.sort(Comparator.comparingLong(each -> each.buffer().firstStep()));
        List<Placed> ends = new ArrayList<>(begins);
        ends.sort(Comparator.comparingLong(each -> each.buffer().endStep()));
        // No two live buffers have one offset, since those in the map share no byte.
        TreeMap<Long, Placed> live = new TreeMap<>();
        int ended = 0;
        for (Placed begun : begins) {
            while (ends.get(ended).buffer().endStep() <= begun.buffer().firstStep()) {
                live.remove(ends.get(ended++).slot().offset());
            }
            Map.Entry<Long, Placed> below = live.floorEntry(begun.slot().offset());
            if (below != null && below.getValue().slot().end() > begun.slot().offset()) {
                throw overlapping(below.getValue(), begun, placed);
            }
            Map.Entry<Long, Placed> above = live.higherEntry(begun.slot().offset());
            if (above != null && begun.slot().end() > above.getKey()) {
                throw overlapping(begun, above.getValue(), placed);
            }
            live.put(begun.slot().offset(), begun);
        }
    }

    private static InvalidPlanException overlapping(Placed one, Placed other, List<Placed> order) {
        boolean inOrder = order.indexOf(one) < order.indexOf(other);
        Placed first = inOrder ? one : other;
        Placed second = inOrder ? other : one;
        return new InvalidPlanException(
                first.buffer().id() + " and " + second.buffer().id() + ": expected no byte in common, got "
                        + first.describe() + " and " + second.describe());
    }
}
