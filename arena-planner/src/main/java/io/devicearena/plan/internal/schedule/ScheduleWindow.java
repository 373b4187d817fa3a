package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.CsrAdjacency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A run of nodes in an order, as a search for a better order of them sees it: all nodes before it have run and none
 * behind it has. Nodes are numbered from 0 in the order so far.
 *
 * <p>Only values and fused ops whose last use is in the window count, whichever way it is ordered; they have numbers of
 * their own.
 */
final class ScheduleWindow {
    /** The bytes that each node's value takes from its step on. */
    final long[] bytes;
    /** The bytes that the last use of each value frees. */
    final long[] freed;
    /** How often each value is used in the window. */
    final int[] useCounts;
    /** The nodes of the window that must come before each node. */
    final CsrAdjacency before;
    /** The nodes of the window that must come behind each node. */
    final CsrAdjacency after;
    /** The values that each node uses. */
    final CsrAdjacency uses;
    /** The values that the last use of each value uses as well: what a fused op reads. */
    final CsrAdjacency passedOn;
    /** The values whose slots each node's value can reuse if the node is the last to use them. */
    final CsrAdjacency reusable;

    /**
     * Makes the window order[from, to).
     *
     * @param usesLeft how often each value is still used when the window begins; changed to what is left when it ends
     */
    ScheduleWindow(DependencyGraph graph, int[] order, int from, int to, int[] usesLeft) {
        int length = to - from;
        Map<Integer, Integer> numbers = HashMap.newHashMap(length);
        for (int at = from; at < to; at++) {
            numbers.put(order[at], at - from);
        }
        List<Integer> ended = end(graph, order, from, to, usesLeft);
        Map<Integer, Integer> values = HashMap.newHashMap(ended.size());
        ended.forEach(value -> values.put(value, values.size()));
        before = CsrAdjacency.of(length, k -> renumber(graph.before, order[from + k], numbers));
        after = before.reversed();
        uses = CsrAdjacency.of(length, k -> renumber(graph.uses, order[from + k], values));
        reusable = CsrAdjacency.of(length, k -> renumber(graph.reusable, order[from + k], values));
        passedOn = CsrAdjacency.of(ended.size(), k -> renumber(graph.passedOn, ended.get(k), values));
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

    /** Counts the uses in the window and returns the values and fused ops whose last use is among them. */
    private static List<Integer> end(DependencyGraph graph, int[] order, int from, int to, int[] usesLeft) {
        List<Integer> ended = new ArrayList<>();
        for (int at = from; at < to; at++) {
            int known = ended.size();
            use(graph.uses, order[at], usesLeft, ended);
            for (int k = known; k < ended.size(); k++) {
                use(graph.passedOn, ended.get(k), usesLeft, ended);
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

    /** The entries of a list that have numbers, by these. */
    private static int[] renumber(CsrAdjacency lists, int i, Map<Integer, Integer> numbers) {
        int[] found = new int[lists.count(i)];
        int count = 0;
        for (int k = 0; k < found.length; k++) {
            Integer number = numbers.get(lists.get(i, k));
            if (number != null) {
                found[count++] = number;
            }
        }
        return Arrays.copyOf(found, count);
    }

    int length() {
        return bytes.length;
    }
}
