package io.devicearena.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Says why an order of execution is none: a cycle if there is one, else a node that comes before its input. */
final class OrderFault {
    private static final int MOST_NAMED = 8;

    private OrderFault() {}

    static String describe(int[] inputStarts, int[] inputs, IntFunction<String> name) {
        int count = inputStarts.length - 1;
        boolean[] stuck = notExecutable(inputStarts, inputs, count);
        for (int i = 0; i < count; i++) {
            if (stuck[i]) {
                return cycleFrom(i, stuck, inputStarts, inputs, name);
            }
        }
        for (int i = 0; i < count; i++) {
            for (int k = inputStarts[i]; k < inputStarts[i + 1]; k++) {
                if (inputs[k] >= i) {
                    return name.apply(i) + ": expected inputs from earlier steps, got " + name.apply(inputs[k])
                            + " of step " + inputs[k] + " at step " + i + "; list nodes in execution order";
                }
            }
        }
        throw new AssertionError("an order with a fault has a node before its input");
    }

    /** Nodes that can never run because they wait for themselves, found by executing whatever can be executed. */
    private static boolean[] notExecutable(int[] inputStarts, int[] inputs, int count) {
        int[] waits = new int[count];
        int[] readerStarts = new int[count + 1];
        for (int k = 0; k < inputStarts[count]; k++) {
            readerStarts[inputs[k] + 1]++;
        }
        for (int i = 0; i < count; i++) {
            waits[i] = inputStarts[i + 1] - inputStarts[i];
            readerStarts[i + 1] += readerStarts[i];
        }
        int[] readers = new int[inputStarts[count]];
        int[] next = readerStarts.clone();
        for (int i = 0; i < count; i++) {
            for (int k = inputStarts[i]; k < inputStarts[i + 1]; k++) {
                readers[next[inputs[k]]++] = i;
            }
        }
        boolean[] stuck = new boolean[count];
        Arrays.fill(stuck, true);
        Deque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            if (waits[i] == 0) {
                ready.add(i);
            }
        }
        while (!ready.isEmpty()) {
            int done = ready.remove();
            stuck[done] = false;
            for (int k = readerStarts[done]; k < readerStarts[done + 1]; k++) {
                if (--waits[readers[k]] == 0) {
                    ready.add(readers[k]);
                }
            }
        }
        return stuck;
    }

    /** Walks from a stuck node to a stuck input, again and again, until it meets itself. */
    private static String cycleFrom(
            int start, boolean[] stuck, int[] inputStarts, int[] inputs, IntFunction<String> name) {
        List<Integer> walk = new ArrayList<>();
        int[] seenAt = new int[stuck.length];
        Arrays.fill(seenAt, -1);
        int at = start;
        while (seenAt[at] < 0) {
            seenAt[at] = walk.size();
            walk.add(at);
            at = stuckInput(at, stuck, inputStarts, inputs);
        }
        List<Integer> cycle = walk.subList(seenAt[at], walk.size());
        String names = cycle.stream().limit(MOST_NAMED).map(name::apply).collect(Collectors.joining(" reads "));
        return "graph: expected no cycle, got " + names + " reads "
                + (cycle.size() > MOST_NAMED ? "… (" + cycle.size() + " nodes in all)" : name.apply(at));
    }

    private static int stuckInput(int node, boolean[] stuck, int[] inputStarts, int[] inputs) {
        for (int k = inputStarts[node]; k < inputStarts[node + 1]; k++) {
            if (stuck[inputs[k]]) {
                return inputs[k];
            }
        }
        throw new AssertionError("a node that cannot run waits for one that cannot run");
    }
}
