package io.devicearena.plan.internal.graph;

import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Lists of nodes, one list a node. */
public final class NodeLists {
    private NodeLists() {}

    public static int[][] of(int count, IntFunction<int[]> listOf) {
        return IntStream.range(0, count).mapToObj(listOf).toArray(int[][]::new);
    }

    /** The lists that say where each node occurs in these, in ascending order. */
    public static int[][] reversed(int[][] lists) {
        int[] counts = new int[lists.length];
        for (int[] list : lists) {
            for (int node : list) {
                counts[node]++;
            }
        }
        int[][] reversed = of(lists.length, i -> new int[counts[i]]);
        for (int i = lists.length - 1; i >= 0; i--) {
            for (int node : lists[i]) {
                reversed[node][--counts[node]] = i;
            }
        }
        return reversed;
    }
}
