package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.CsrAdjacency;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.sharing.SlotSharing;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Finds an order of execution in which less lives at once.
 *
 * <p>Whatever a node reads, shows or is said to run after (control dependencies) stays before it; nothing else of the
 * given order binds. Which order is found depends on the graph and the options alone, not on the time it takes; how much is
 * tried is bounded, to about 100 million looks at a next node.
 *
 * <p>It starts from the best of the given order and two that finish what they begin, and looks for a better order of pieces
 * of it, twice: of the small ones between which one value is all that goes on, then of those between which nothing could
 * run on the other side. The second cuts lose no order. So no order is better than the one found where each such piece
 * has up to 13 nodes, those not counted that the host writes first: in small graphs, and in graphs of up to 2,000 nodes that
 * are small parts in a row, each of which leads to one node that leads to all that follows; in a larger graph the parts must
 * be smaller. Of larger pieces, and of parts side by side, the best few ways are followed, which gives a good order and not
 * always the best. Less means fewer bytes live at once; what ops save by writing over their inputs is counted, what
 * concatenations save is not.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> Sethi and Ullman, "The Generation of Optimal Code for Arithmetic Expressions", 1970, for finishing the
 * largest operand first; Ahn et al., "Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge
 * Devices", MLSys 2020, for one best way to each set of executed nodes and for the cuts; the bounds of the search are our
 * own.
 */
public final class MemoryAwareScheduler {
    private static final long LOOKS = 50_000_000;
    private static final int LEAST_WIDTH = 8;
    private static final int MOST_WIDTH = 2048;

    private final ArrayGraph graph;
    private final SlotSizes sizes;
    private final int secondPhase;
    private final DependencyGraph nodes;

    private MemoryAwareScheduler(ArrayGraph graph, SlotSizes sizes, int secondPhase) {
        this.graph = graph;
        this.sizes = sizes;
        this.secondPhase = secondPhase;
        this.nodes = new DependencyGraph(graph, sizes);
    }

    public static Optional<ArrayGraph> reorder(ArrayGraph graph, SlotSizes sizes, int secondPhase) {
        MemoryAwareScheduler scheduler = new MemoryAwareScheduler(graph, sizes, secondPhase);
        int[] found = scheduler.search();
        return scheduler.bound(found) < SlotSharing.lowerBound(graph, sizes) ? Optional.of(graph.inOrder(found)) : Optional.empty();
    }

    private int[] search() {
        int[] best = given();
        long least = bound(best);
        for (int[] other : List.of(finishing(false), finishing(true))) {
            long bound = bound(other);
            if (bound < least) {
                least = bound;
                best = other;
            }
        }
        SchedulePartition cuts = new SchedulePartition(nodes, secondPhase);
        int[] begins = new int[best.length];
        Arrays.fill(begins, -1);
        int[] other = best.clone();
        int[] places = new int[other.length];
        for (int at = 0; at < other.length; at++) {
            places[other[at]] = at;
        }
        for (boolean narrow : List.of(true, false)) { // the second time with pieces that have more ways
            improvePieces(other, places, narrow ? cuts.narrow(other, places) : cuts.certain(other, places), begins);
            long bound = bound(other); // with what concatenations save, which the search leaves out
            if (bound < least) {
                least = bound;
                best = other.clone();
            }
        }
        return best;
    }

    private long bound(int[] order) {
        ArrayGraph reordered = graph.inOrder(order);
        return SlotSharing.lowerBound(reordered, sizes.of(reordered));
    }

    private int[] given() {
        int[] order = new int[nodes.count()];
        int next = appendGiven(order);
        for (int i = 0; i < order.length; i++) {
            if (!nodes.isGiven(i)) {
                order[next++] = i;
            }
        }
        return order;
    }

    /** What the host writes comes first, where it always was or might as well be. */
    private int appendGiven(int[] order) {
        int next = 0;
        for (int i = 0; i < order.length; i++) {
            if (nodes.isGiven(i)) {
                order[next++] = i;
            }
        }
        return next;
    }

    /**
     * An order in which each node comes right after what it needs, whose ends come in the given order.
     *
     * @param hungriestFirst whether of the nodes that a node needs the one goes first that takes most while it is made
     */
    private int[] finishing(boolean hungriestFirst) {
        int count = nodes.count();
        int[] order = new int[count];
        int next = appendGiven(order);
        boolean[] done = new boolean[count];
        for (int k = 0; k < next; k++) {
            done[order[k]] = true;
        }
        int[][] needs = hungriestFirst ? needsByHunger() : needs();
        for (int end = 0; end < count; end++) {
            if (isEndOfPhase(end)) {
                next = finish(end, needs, done, order, next);
            }
        }
        for (int i = 0; i < count; i++) {
            next = finish(i, needs, done, order, next); // what only leads into the second phase
        }
        return order;
    }

    private boolean isEndOfPhase(int i) {
        CsrAdjacency after = nodes.after();
        for (int k = 0; k < after.count(i); k++) {
            if (i >= secondPhase || after.get(i, k) < secondPhase) {
                return false;
            }
        }
        return true;
    }

    private int finish(int end, int[][] needs, boolean[] done, int[] order, int placed) {
        int next = placed;
        Deque<int[]> path = new ArrayDeque<>(); // a node, and how many of its needs have been looked at
        if (!done[end]) {
            done[end] = true;
            path.push(new int[] {end, 0});
        }
        while (!path.isEmpty()) {
            int[] top = path.getFirst();
            if (top[1] == needs[top[0]].length) {
                order[next++] = top[0];
                path.pop();
            } else {
                int need = needs[top[0]][top[1]++];
                if (!done[need]) {
                    done[need] = true;
                    path.push(new int[] {need, 0});
                }
            }
        }
        return next;
    }

    private int[][] needs() {
        int[][] needs = new int[nodes.count()][];
        CsrAdjacency before = nodes.before();
        for (int i = 0; i < needs.length; i++) {
            needs[i] = new int[before.count(i)];
            for (int k = 0; k < needs[i].length; k++) {
                needs[i][k] = before.get(i, k);
            }
        }
        return needs;
    }

    /** The needs of each node, ordered as if each value had one reader: by what making it takes beyond its own size. */
    private int[][] needsByHunger() {
        int[][] needs = needs();
        double[] hunger = new double[needs.length];
        for (int i = 0; i < needs.length; i++) {
            needs[i] = Arrays.stream(needs[i])
                    .boxed()
                    .sorted((a, b) -> Double.compare(hunger[b] - nodes.bytes(b), hunger[a] - nodes.bytes(a)))
                    .mapToInt(Integer::intValue)
                    .toArray();
            double held = 0;
            for (int need : needs[i]) {
                hunger[i] = Math.max(hunger[i], held + hunger[need]);
                held += nodes.bytes(need);
            }
            hunger[i] = Math.max(hunger[i], held + nodes.bytes(i));
        }
        return needs;
    }

    /**
     * Reorders pieces of an order, each for itself.
     *
     * @param places where each node is in the order; then, where it is in the order made here
     * @param ends the places after which the order is cut; a piece that is still too long is cut further
     * @param begins by the place of its last node, the begin of each piece that is done; then also of those done here
     */
    private void improvePieces(int[] order, int[] places, boolean[] ends, int[] begins) {
        int count = order.length;
        int longest = (int) Math.max(16, Math.min(count, LOOKS / LEAST_WIDTH / Math.max(1, count)));
        int[] usesLeft = nodes.useCounts();
        int from = 0;
        while (from < count && nodes.isGiven(order[from])) {
            from++;
        }
        for (int at = from; at < count; at++) {
            if (ends[at] || at - from + 1 == longest || at == count - 1) {
                ScheduleSegment stretch = new ScheduleSegment(nodes, order, from, at + 1, places, usesLeft);
                if (begins[at] != from) {
                    improve(order, stretch, from, places);
                    begins[at] = from;
                }
                from = at + 1;
            }
        }
    }

    /** Reorders a stretch, which begins at a place, if that lowers its peak. */
    private void improve(int[] order, ScheduleSegment stretch, int from, int[] places) {
        int length = stretch.length();
        if (length == 1) {
            return;
        }
        long width = LOOKS / ((long) order.length * length);
        Optional<int[]> better = new ScheduleBeamSearch(stretch).better((int) Math.max(1, Math.min(MOST_WIDTH, width)));
        if (better.isPresent()) {
            int[] given = Arrays.copyOfRange(order, from, from + length);
            for (int k = 0; k < length; k++) {
                order[from + k] = given[better.get()[k]];
                places[order[from + k]] = from + k;
            }
        }
    }
}
