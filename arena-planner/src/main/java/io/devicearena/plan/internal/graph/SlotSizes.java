package io.devicearena.plan.internal.graph;

import io.devicearena.DType;
import java.util.function.ToLongFunction;

/** How many bytes the slots of a graph's values take. The reader of the graph has checked that no size overflows. */
public final class SlotSizes {
    private final ArrayGraph graph;
    private final ToLongFunction<DType> bytesPerElement;
    private final long alignment;

    /** Makes the sizes of a graph whose slots are rounded up to an alignment in bytes, a power of two. */
    public SlotSizes(ArrayGraph graph, ToLongFunction<DType> bytesPerElement, long alignment) {
        this.graph = graph;
        this.bytesPerElement = bytesPerElement;
        this.alignment = alignment;
    }

    public SlotSizes of(ArrayGraph reordered) {
        return new SlotSizes(reordered, bytesPerElement, alignment);
    }

    public long alignment() {
        return alignment;
    }

    public long elementBytes(int i) {
        return bytesPerElement.applyAsLong(graph.dtype(i));
    }

    /** The bytes of value i without padding. */
    public long exact(int i) {
        return graph.elements(i) * elementBytes(i);
    }

    /**
     * The bytes of the slot of value i. A view of some rows gets no padding: a write that filled it would reach into
     * the rows behind it.
     */
    public long slot(int i) {
        int root = graph.root(i);
        return root != i && graph.elements(i) < graph.elements(root) ? exact(i) : roundUp(exact(root), alignment);
    }

    /** Bytes from the start of the root's slot to that of value i. */
    public long offsetInRoot(int i) {
        return graph.firstElement(i) * elementBytes(i);
    }

    /** Rounds bytes up to a multiple of an alignment, which is a power of two. */
    public static long roundUp(long bytes, long alignment) {
        return (bytes + alignment - 1) & -alignment;
    }
}
