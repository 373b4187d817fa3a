package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.CsrAdjacency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * A stretch of an order as a search within it sees it: all before the stretch has run and nothing after it. Its nodes are
 * numbered from 0 in the order so far.
 *
 * <p>Of the values only those are here whose last use is in the stretch, whichever way it is ordered; they have numbers of
 * their own. So have the fused nodes whose last reader is: a fused node is a use of all that it reads until then.
 */
final class ScheduleSegment {
    private static final int NONE = -1;

    private final long[] bytes;
    private final long[] freed;
    private final int[] useCounts;
    private final CsrAdjacency before;
    private final CsrAdjacency after;
    private final CsrAdjacency uses;
    private final CsrAdjacency passedOn;
    private final CsrAdjacency taken;

    /**
     * Looks at order[from, to).
     *
     * @param places where each node is in the order
     * @param usesLeft how often each node's value is still used when the stretch begins; then, when it ends
     */
    ScheduleSegment(DependencyGraph graph, int[] order, int from, int to, int[] places, int[] usesLeft) {
        int length = to - from;
        List<Integer> ended = end(graph, order, from, to, usesLeft);
        Map<Integer, Integer> numbers = HashMap.newHashMap(ended.size());
        ended.forEach(value -> numbers.put(value, numbers.size()));
        IntUnaryOperator valueNumber = value -> numbers.getOrDefault(value, NONE);
        IntUnaryOperator nodeNumber = node -> places[node] < to ? Math.max(NONE, places[node] - from) : NONE;
        before = CsrAdjacency.of(length, k -> renumbered(graph.before(), order[from + k], nodeNumber));
        after = CsrAdjacency.of(length, k -> renumbered(graph.after(), order[from + k], nodeNumber));
        uses = CsrAdjacency.of(length, k -> renumbered(graph.uses(), order[from + k], valueNumber));
        taken = CsrAdjacency.of(length, k -> renumbered(graph.taken(), order[from + k], valueNumber));
        passedOn = CsrAdjacency.of(ended.size(), k -> renumbered(graph.passedOn(), ended.get(k), valueNumber));
        bytes = new long[length];
        freed = new long[ended.size()];
        useCounts = new int[ended.size()];
        for (int k = 0; k < length; k++) {
            bytes[k] = graph.bytes(order[from + k]);
            uses.addTo(useCounts, k);
        }
        for (int k = 0; k < freed.length; k++) {
            freed[k] = graph.bytes(ended.get(k));
            passedOn.addTo(useCounts, k);
        }
    }

    /** Uses up what the stretch uses and says which values, and which fused nodes, it is the last to use. */
    private static List<Integer> end(DependencyGraph graph, int[] order, int from, int to, int[] usesLeft) {
        List<Integer> ended = new ArrayList<>();
        for (int at = from; at < to; at++) {
            int known = ended.size();
            use(graph.uses(), order[at], usesLeft, ended);
            for (int k = known; k < ended.size(); k++) {
                use(graph.passedOn(), ended.get(k), usesLeft, ended);
            }
        }
        return ended;
    }

    private static void use(CsrAdjacency uses, int i, int[] usesLeft, List<Integer> ended) {
        for (int k = 0; k < uses.count(i); k++) {
            if (--usesLeft[uses.get(i, k)] == 0) {
                ended.add(uses.get(i, k));
            }
        }
    }

    private static int[] renumbered(CsrAdjacency lists, int i, IntUnaryOperator number) {
        int[] found = new int[lists.count(i)];
        int count = 0;
        for (int k = 0; k < found.length; k++) {
            int other = number.applyAsInt(lists.get(i, k));
            if (other != NONE) {
                found[count++] = other;
            }
        }
        return count == found.length ? found : Arrays.copyOf(found, count);
    }

    int length() {
        return bytes.length;
    }

    int values() {
        return freed.length;
    }

    /** How often a value is used in the stretch. */
    int useCount(int value) {
        return useCounts[value];
    }

    /** The bytes that a node's value takes from its step on. */
    long bytes(int node) {
        return bytes[node];
    }

    /** The bytes that the last use of a value gives back. */
    long freed(int value) {
        return freed[value];
    }

    /** The nodes of the stretch that must come before a node. */
    CsrAdjacency before() {
        return before;
    }

    /** The nodes of the stretch that must come after a node. */
    CsrAdjacency after() {
        return after;
    }

    /** The values that a node uses. */
    CsrAdjacency uses() {
        return uses;
    }

    /** The values that the last use of a value uses as well: what a fused node reads. */
    CsrAdjacency passedOn() {
        return passedOn;
    }

    /** The values whose slots a node's value may take if it is the last to use them. */
    CsrAdjacency taken() {
        return taken;
    }
}
