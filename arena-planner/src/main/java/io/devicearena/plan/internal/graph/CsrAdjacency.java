package io.devicearena.plan.internal.graph;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A list of nodes for each node, most of them empty, in two arrays (compressed sparse rows). */
public final class CsrAdjacency {
    static final CsrAdjacency EMPTY = new CsrAdjacency(new int[1], new int[0]);

    private final int[] starts;
    private final int[] nodes;

    private CsrAdjacency(int[] starts, int[] nodes) {
        this.starts = starts;
        this.nodes = nodes;
    }

    /** Asks for the list of each of {@code count} nodes, in ascending order. */
    public static CsrAdjacency of(int count, IntFunction<int[]> listOf) {
        int[] starts = new int[count + 1];
        IntStream.Builder nodes = IntStream.builder();
        for (int i = 0; i < count; i++) {
            int[] list = listOf.apply(i);
            Arrays.stream(list).forEach(nodes::add);
            starts[i + 1] = starts[i] + list.length;
        }
        return new CsrAdjacency(starts, nodes.build().toArray());
    }

    /** The lists that say where each node occurs in these, in ascending order. */
    public CsrAdjacency reversed() {
        int count = count();
        int[] reversedStarts = new int[count + 1];
        for (int at = 0; at < starts[count]; at++) {
            reversedStarts[nodes[at] + 1]++;
        }
        for (int i = 0; i < count; i++) {
            reversedStarts[i + 1] += reversedStarts[i];
        }
        int[] reversed = new int[starts[count]];
        int[] next = reversedStarts.clone();
        for (int i = 0; i < count; i++) {
            for (int at = starts[i]; at < starts[i + 1]; at++) {
                reversed[next[nodes[at]]++] = i;
            }
        }
        return new CsrAdjacency(reversedStarts, reversed);
    }

    /** The same lists for nodes in another order, given with the position of each node in it. */
    CsrAdjacency inOrder(int[] order, int[] positions) {
        return of(
                order.length, i -> stream(order[i]).map(node -> positions[node]).toArray());
    }

    int count() {
        return starts.length - 1;
    }

    public int count(int i) {
        return starts[i + 1] - starts[i];
    }

    public int get(int i, int k) {
        return nodes[starts[i] + k];
    }

    public IntStream stream(int i) {
        return Arrays.stream(nodes, starts[i], starts[i + 1]);
    }

    /** Adds one to the count of each node in the list of node i. */
    public void addTo(int[] counts, int i) {
        for (int at = starts[i]; at < starts[i + 1]; at++) {
            counts[nodes[at]]++;
        }
    }
}
