package io.devicearena.plan.internal.graph;

import io.devicearena.DType;
import io.devicearena.plan.size.SizeExpression;
import java.util.function.ToLongFunction;

/**
 * How many bytes the slots of a graph's values take, rounded up to an alignment, which is a power of two. The reader of
 * the graph has checked that no size overflows.
 *
 * @param slotBytes the bytes of a slot for each element of a type
 * @param storedBytes from one element to the next; no more than those of the slot
 * @param guardBytes a multiple of the alignment
 */
public record SlotSizes(
        ArrayGraph graph,
        ToLongFunction<DType> slotBytes,
        ToLongFunction<DType> storedBytes,
        long alignment,
        long guardBytes) {
    public SlotSizes of(ArrayGraph reordered) {
        return new SlotSizes(reordered, slotBytes, storedBytes, alignment, guardBytes);
    }

    /** Bytes from one element of value i to the next. */
    public long elementBytes(int i) {
        return storedBytes.applyAsLong(graph.dtype(i));
    }

    /** The bytes of the slot of value i. Views of some rows get no padding, which would reach into the next rows. */
    public long slot(int i) {
        return isPartialView(i) ? packed(i) : unguarded(i) + guardBytes;
    }

    /** The bytes of the slot of value i, which is no view, without guard bytes. */
    public long unguarded(int i) {
        return roundUp(graph.elements(i) * slotBytes.applyAsLong(graph.dtype(i)), alignment);
    }

    /** The bytes of the slot of value i if it lies where a concatenation has the same elements. */
    public long packed(int i) {
        long exact = graph.elements(i) * elementBytes(i);
        return isPartialView(i) ? exact : roundUp(exact, alignment);
    }

    /** Whether value i, which is no view, fits into the bytes of a part of a concatenation, at all sizes. */
    public boolean fitsInto(int i, int part) {
        SizeExpression needed = graph.size(i)
                .times(SizeExpression.of(slotBytes.applyAsLong(graph.dtype(i))))
                .plus(SizeExpression.of(guardBytes));
        SizeExpression there = graph.size(part).times(SizeExpression.of(elementBytes(part)));
        return slot(i) <= packed(part) && ((needed.isConstant() && there.isConstant()) || there.isAtLeast(needed));
    }

    /** Whether a number of elements like those of value i takes whole units of the alignment, at all sizes. */
    public boolean isAligned(SizeExpression elements, int i) {
        return elements.isMultipleOf(Math.max(1, alignment / elementBytes(i)));
    }

    private boolean isPartialView(int i) {
        return graph.elements(i) < graph.elements(graph.root(i));
    }

    /** Bytes from the start of the root's slot to that of value i. */
    public long offsetInRoot(int i) {
        return graph.start(i).atMost() * elementBytes(i);
    }

    /** Rounds bytes up to a multiple of an alignment, which is a power of two. */
    public static long roundUp(long bytes, long alignment) {
        return (bytes + alignment - 1) & -alignment;
    }
}
