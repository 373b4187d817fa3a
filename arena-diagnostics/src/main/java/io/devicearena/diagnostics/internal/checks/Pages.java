package io.devicearena.diagnostics.internal.checks;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Sets of pages of an arena: what a step is compared with. Threads: static and stateless; any thread. */
final class Pages {
    /** 64 KiB: short against the memory of a model, long against a call that copies it. */
    private static final int BITS = 16;

    /** The pages that a step is compared with before and behind those that it names: 256 KiB. */
    private static final int AROUND = 4;

    private Pages() {}

    static BitSet all(long bytes) {
        BitSet pages = new BitSet();
        pages.set(0, above(bytes));
        return pages;
    }

    /** The pages that hold a byte which does not keep its value from run to run, as far as plans say. */
    static BitSet notKept(Collection<CheckedPlan> plans, long bytes) {
        BitSet pages = all(bytes);
        long begin = 0;
        long end = 0;
        List<CheckedValue> values = plans.stream()
                .flatMap(plan -> plan.values().stream())
                .filter(value -> value.role() != null && value.slotEnd() > value.begin())
                .sorted(Comparator.comparingLong(CheckedValue::begin))
                .toList();
        for (CheckedValue value : values) {
            if (value.isKept()) {
                begin = value.begin() > end ? value.begin() : begin;
                end = Math.max(end, value.slotEnd());
                if (above(begin) < end >> BITS) {
                    pages.clear(above(begin), (int) (end >> BITS));
                }
            }
        }
        values.stream()
                .filter(value -> !value.isKept())
                .forEach(value -> pages.set((int) (value.begin() >> BITS), above(value.slotEnd())));
        return pages;
    }

    /** Adds the pages of a range and those around it. */
    static void add(BitSet pages, ValueRange range, long bytes) {
        pages.set(
                Math.max(0, (int) (range.begin() >> BITS) - AROUND),
                Math.min(above(bytes), above(range.end()) + AROUND));
    }

    /** The pages of a set that are not in another one. */
    static BitSet without(BitSet pages, BitSet others) {
        BitSet rest = (BitSet) pages.clone();
        rest.andNot(others);
        return rest;
    }

    /** The bytes of pages: pairs of begin and end. */
    static List<long[]> ranges(BitSet pages, long bytes) {
        List<long[]> ranges = new ArrayList<>();
        for (int first = pages.nextSetBit(0); first >= 0; ) {
            int end = pages.nextClearBit(first);
            ranges.add(new long[] {(long) first << BITS, Math.min(bytes, (long) end << BITS)});
            first = pages.nextSetBit(end);
        }
        return ranges;
    }

    private static int above(long bytes) {
        return (int) ((bytes + (1L << BITS) - 1) >> BITS);
    }
}
