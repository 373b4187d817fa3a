package io.devicearena.plan.internal.sharing;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import org.jspecify.annotations.Nullable;

/**
 * Whether an op's value fits the slot of an input that the op may be written over.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class InPlaceRule {
    private final ArrayGraph graph;
    private final SlotSizes sizes;
    private @Nullable UseDefIndex uses;

    /** Makes the rule for a graph and its slot sizes. */
    public InPlaceRule(ArrayGraph graph, SlotSizes sizes) {
        this.graph = graph;
        this.sizes = sizes;
    }

    /** Whether an op can reuse the slot of an input in every order in which it is the last to use it. */
    public boolean fits(int op, int input) {
        int root = graph.root(input);
        return graph.isComputed(root)
                && graph.isWhole(input)
                && graph.elements(op) <= graph.elements(input)
                && sizes.elementBytes(op) == sizes.elementBytes(input)
                && sizes.slot(op) == sizes.slot(root)
                && uses().isOnlyReadAs(input, op);
    }

    /** The index is built for graphs only that declare in-place inputs. */
    private UseDefIndex uses() {
        if (uses == null) {
            uses = new UseDefIndex(graph);
        }
        return uses;
    }
}
