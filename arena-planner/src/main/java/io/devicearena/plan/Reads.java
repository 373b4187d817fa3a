package io.devicearena.plan;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * How ops read values: as they are or through views, directly or through ops that were fused into them.
 *
 * <p>Who asks of one op after the other, of as many inputs as it likes, pays for each op's inputs once. Threads: one thread at
 * a time.
 */
final class Reads {
    private static final int NOBODY = -1;
    private static final int SEVERAL = -2;

    private final GraphIndex graph;
    /** Where the fused ops that read each value, or views of it, begin among all those. */
    private final int[] starts;

    private final int[] fusedReaders;
    /** The latest op asked of that reads each node directly. */
    private final int[] readers;

    private final int[] rootReaders;
    /** As which value that op reads each root directly. */
    private final int[] readAs;

    private int known = NOBODY;

    Reads(GraphIndex graph) {
        this.graph = graph;
        int count = graph.count();
        this.starts = new int[count + 1];
        this.readers = new int[count];
        this.rootReaders = new int[count];
        this.readAs = new int[count];
        Arrays.fill(readers, NOBODY);
        Arrays.fill(rootReaders, NOBODY);
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

    /** Whether an op reads the bytes of one of its inputs in no other way: not through another view, nor through a fused op. */
    boolean isOnlyReadAs(int input, int op) {
        know(op);
        int root = graph.root(input);
        return readAs[root] == input && !isReadThroughFused(root, op);
    }

    private void know(int op) {
        if (known == op) {
            return;
        }
        known = op;
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
