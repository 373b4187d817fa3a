package io.devicearena.plan;

/** How many bytes the slots of a graph's values take. */
final class SlotSizes {
    private final GraphIndex graph;
    private final Sizing sizing;
    private final long alignment;

    SlotSizes(GraphIndex graph, PlanOptions options) {
        this.graph = graph;
        this.sizing = options.sizing();
        this.alignment = options.alignment();
    }

    /** The bytes of value i without padding. */
    long exact(int i) {
        long bytes = elementBytes(i);
        if (graph.elements(i) > (Long.MAX_VALUE - alignment) / bytes) {
            throw new InvalidGraphException(graph.named(i) + ": expected a size of at most "
                    + (Long.MAX_VALUE - alignment) + " bytes, got " + graph.elements(i) + " elements of " + bytes
                    + " bytes");
        }
        return graph.elements(i) * bytes;
    }

    /**
     * The bytes of the slot of value i. A view of some rows gets no padding: a write that filled it would reach into the
     * rows behind it.
     */
    long slot(int i) {
        int root = graph.root(i);
        return root != i && graph.elements(i) < graph.elements(root) ? exact(i) : roundUp(exact(root), alignment);
    }

    long elementBytes(int i) {
        return sizing.elementBytes(graph.dtype(i));
    }

    /** Bytes from the start of the root's slot to that of value i. */
    long offsetInRoot(int i) {
        return graph.firstElement(i) * elementBytes(i);
    }

    static long roundUp(long bytes, long alignment) {
        return (bytes + alignment - 1) & -alignment;
    }
}
