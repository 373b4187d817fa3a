package io.devicearena.plan.internal.sharing;

import io.devicearena.plan.internal.graph.ArrayGraph;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * How ops read values: as they are or through views, directly or through ops that are fused into them.
 *
 * <p>Queries for one op after the other cost O(inputs) per op, amortised. Threads: one thread at a time.
 */
final class UseDefIndex {
    private static final int NONE = -1;
    private static final int SEVERAL = -2;

    private final ArrayGraph graph;
    /** Where the fused ops that read each root, or views of it, begin in {@link #fusedReaders}. */
    private final int[] starts;

    private final int[] fusedReaders;
    /** The latest queried op that reads each node directly. */
    private final int[] readers;

    private final int[] rootReaders;
    /** As which value that op reads each root directly. */
    private final int[] readAs;

    private int indexed = NONE;

    UseDefIndex(ArrayGraph graph) {
        this.graph = graph;
        int count = graph.count();
        this.starts = new int[count + 1];
        this.readers = new int[count];
        this.rootReaders = new int[count];
        this.readAs = new int[count];
        Arrays.fill(readers, NONE);
        Arrays.fill(rootReaders, NONE);
        for (int i = 0; i < count; i++) {
            for (int k = 0; graph.isFused(i) && k < graph.inputCount(i); k++) {
                starts[graph.root(graph.input(i, k)) + 1]++;
            }
        }
        for (int i = 0; i < count; i++) {
            starts[i + 1] += starts[i];
        }
        this.fusedReaders = new int[starts[count]];
        int[] next = starts.clone();
        for (int i = 0; i < count; i++) {
            for (int k = 0; graph.isFused(i) && k < graph.inputCount(i); k++) {
                fusedReaders[next[graph.root(graph.input(i, k))]++] = i;
            }
        }
    }

    /** Whether an op reads the bytes of an input as this input only: through no other view, and through no fused op. */
    boolean isOnlyReadAs(int input, int op) {
        index(op);
        int root = graph.root(input);
        return readAs[root] == input && !isReadThroughFused(root, op);
    }

    private void index(int op) {
        if (indexed == op) {
            return;
        }
        indexed = op;
        for (int k = 0; k < graph.inputCount(op); k++) {
            int input = graph.input(op, k);
            int root = graph.root(input);
            readAs[root] = rootReaders[root] == op && readAs[root] != input ? SEVERAL : input;
            rootReaders[root] = op;
            readers[input] = op;
        }
    }

    private boolean isReadThroughFused(int root, int op) {
        if (starts[root] == starts[root + 1]) {
            return false;
        }
        Deque<Integer> pending = new ArrayDeque<>();
        Set<Integer> seen = new HashSet<>();
        pending.add(root);
        while (!pending.isEmpty()) {
            int read = pending.remove();
            for (int k = starts[read]; k < starts[read + 1]; k++) {
                int fused = fusedReaders[k];
                if (readers[fused] == op) {
                    return true;
                }
                if (seen.add(fused)) {
                    pending.add(fused);
                }
            }
        }
        return false;
    }
}
