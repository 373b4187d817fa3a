package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.CsrAdjacency;

/**
 * Where an order may be cut into pieces that are ordered each for itself.
 *
 * <p>Two kinds of nodes bind nothing although they are on no way through the graph: what takes no bytes may as well come as
 * early as it can, and what needs nothing but what is there from the start and stays for others may as well wait for them.
 */
final class SchedulePartition {
    private final DependencyGraph nodes;
    private final int secondPhase;
    private final boolean[] free; // takes nothing and needs only what is given or free itself
    private final boolean[] trailing; // takes nothing, and only such nodes need it
    private final boolean[] patient; // needs only what is free, and stays until another uses it or the host reads it

    /** @param secondPhase the step of the given order with which the second phase begins */
    SchedulePartition(DependencyGraph nodes, int secondPhase) {
        this.nodes = nodes;
        this.secondPhase = secondPhase;
        int count = nodes.count();
        int[] useCounts = nodes.useCounts();
        free = new boolean[count];
        trailing = new boolean[count];
        patient = new boolean[count];
        for (int i = 0; i < count; i++) {
            boolean needsOnlyFree = areAll(nodes.before(), i, free);
            free[i] = nodes.bytes(i) == 0 && needsOnlyFree;
            patient[i] = needsOnlyFree && (nodes.isKept(i) || useCounts[i] > 1);
        }
        for (int i = count - 1; i >= 0; i--) {
            trailing[i] = nodes.bytes(i) == 0 && areAll(nodes.after(), i, trailing);
        }
    }

    private static boolean areAll(CsrAdjacency lists, int i, boolean[] such) {
        for (int k = 0; k < lists.count(i); k++) {
            if (!such[lists.get(i, k)]) {
                return false;
            }
        }
        return true;
    }

    /**
     * The places after which no order is lost: all before must come before the node there, all after it must come after.
     * For that each node before needs one that it leads to, and each node after needs one that leads to it, no further
     * than there; these in turn have theirs.
     *
     * @param places where each node is in the order
     */
    boolean[] certain(int[] order, int[] places) {
        int count = order.length;
        int firstPhase = lastOfFirstPhase(places);
        boolean[] ends = new boolean[count];
        int[] lowest = new int[count]; // of the places by which those after each place are led to
        int least = count;
        for (int at = count - 1; at >= 0; at--) {
            least = at == firstPhase ? count : least;
            lowest[at] = least;
            int node = order[at];
            least = free[node] || patient[node] ? least : Math.min(least, leadingTo(node, places));
        }
        int most = 0;
        for (int at = 0; at < count; at++) {
            int node = order[at];
            ends[at] = at == firstPhase || (most <= at && at <= lowest[at]);
            most = free[node] || trailing[node] ? most : Math.max(most, ledTo(node, places));
            most = at == firstPhase ? 0 : most;
        }
        return ends;
    }

    private int leadingTo(int node, int[] places) {
        int last = -1;
        for (int k = 0; k < nodes.before().count(node); k++) {
            int other = nodes.before().get(node, k);
            if (!free[other] && !patient[other]) {
                last = Math.max(last, places[other]);
            }
        }
        return last;
    }

    private int ledTo(int node, int[] places) {
        int first = places.length;
        for (int k = 0; k < nodes.after().count(node); k++) {
            int other = nodes.after().get(node, k);
            if (!trailing[other]) {
                first = Math.min(first, places[other]);
            }
        }
        return first;
    }

    /**
     * The certain places, and those after which one value is all that goes on. With these a better order is lost where
     * something else could have run at another time, but the pieces are small.
     *
     * @param places where each node is in the order
     */
    boolean[] narrow(int[] order, int[] places) {
        int count = order.length;
        int[] passing = new int[count + 1]; // changes of how many needs pass over a place
        CsrAdjacency before = nodes.before();
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < before.count(i); k++) {
                if (!nodes.isGiven(before.get(i, k))) {
                    passing[places[before.get(i, k)] + 1]++;
                    passing[places[i]]--;
                }
            }
        }
        boolean[] ends = certain(order, places);
        int now = 0;
        for (int at = 0; at < count; at++) {
            now += passing[at];
            ends[at] |= now == 0;
        }
        return ends;
    }

    private int lastOfFirstPhase(int[] places) {
        int last = -1;
        for (int i = 0; i < secondPhase; i++) {
            last = Math.max(last, places[i]);
        }
        return last;
    }
}
