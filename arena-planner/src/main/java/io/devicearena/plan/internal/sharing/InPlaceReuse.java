package io.devicearena.plan.internal.sharing;

import io.devicearena.plan.internal.graph.ArrayGraph;
import java.util.Arrays;

/**
 * Which ops write their value over an input whose last use they are.
 *
 * <p>The values of such a chain are the tenants of one slot, one after the other. All take the same bytes, so reuse
 * never costs anything.
 */
final class InPlaceReuse {
    static final int NONE = -1;

    private final ArrayGraph graph;
    private final Liveness liveness;
    private final InPlaceRule rule;
    private final int[] firstTenants;
    private final int[] previous;
    private final int[] next;

    /** Starts with no reuse. */
    InPlaceReuse(ArrayGraph graph, Liveness liveness, InPlaceRule rule) {
        this.graph = graph;
        this.liveness = liveness;
        this.rule = rule;
        firstTenants = new int[graph.count()];
        previous = new int[graph.count()];
        next = new int[graph.count()];
        Arrays.setAll(firstTenants, i -> i);
        Arrays.fill(previous, NONE);
        Arrays.fill(next, NONE);
    }

    /** Lets each op reuse the first of its declared inputs that it can. */
    void reuseAll() {
        for (int op = 0; op < graph.count(); op++) {
            int input = reusable(op);
            if (input != NONE) {
                next[input] = op;
                previous[op] = input;
                firstTenants[op] = firstTenants[input];
            }
        }
    }

    /** The root of the first declared input whose slot an op can reuse, or {@link #NONE}. */
    int reusable(int op) {
        for (int k = 0; k < graph.inPlaceCount(op); k++) {
            int input = graph.inPlaceInput(op, k);
            int root = graph.root(input);
            if (next[root] == NONE && liveness.isLastUse(op, root) && rule.fits(op, input)) {
                return root;
            }
        }
        return NONE;
    }

    /** The first tenant of the slot in which value i lies; itself unless it reuses a slot. */
    int firstTenant(int i) {
        return firstTenants[i];
    }

    /** The value whose slot value i reuses, or {@link #NONE}. */
    int previous(int i) {
        return previous[i];
    }

    /** The op that reuses the slot of value i, or {@link #NONE}. */
    int next(int i) {
        return next[i];
    }
}
