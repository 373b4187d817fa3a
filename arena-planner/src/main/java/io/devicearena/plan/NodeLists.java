package io.devicearena.plan;

import java.util.Arrays;
import java.util.function.IntFunction;

/** A list of nodes for each node, most of them empty, in two arrays. */
final class NodeLists {
    private final int[] starts;
    private final int[] nodes;

    private NodeLists(int[] starts, int[] nodes) {
        this.starts = starts;
        this.nodes = nodes;
    }

    /** Asks for the list of each of {@code count} nodes, in ascending order. */
    static NodeLists of(int count, IntFunction<int[]> listOf) {
        int[] starts = new int[count + 1];
        int[] nodes = new int[16];
        int length = 0;
        for (int i = 0; i < count; i++) {
            int[] list = listOf.apply(i);
            if (list.length > nodes.length - length) {
                nodes = Arrays.copyOf(nodes, Math.max(length + list.length, length + (length >> 1)));
            }
            System.arraycopy(list, 0, nodes, length, list.length);
            length += list.length;
            starts[i + 1] = length;
        }
        return new NodeLists(starts, nodes);
    }

    int count(int i) {
        return starts[i + 1] - starts[i];
    }

    /** Adds one to the count of each node of a list. */
    void addTo(int[] counts, int i) {
        for (int at = starts[i]; at < starts[i + 1]; at++) {
            counts[nodes[at]]++;
        }
    }

    int get(int i, int k) {
        return nodes[starts[i] + k];
    }
}
