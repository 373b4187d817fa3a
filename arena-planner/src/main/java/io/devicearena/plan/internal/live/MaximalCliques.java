package io.devicearena.plan.internal.live;

import io.devicearena.plan.internal.sort.RadixSort;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The maximal cliques of live ranges, numbered in order of time from 0: the largest sets of buffers that are all live
 * at one step. A live range becomes a range of cliques.
 *
 * <p>A clique stands for a run of first steps with no end between them. Two live ranges overlap if and only if their
 * ranges of cliques do. There are at most as many cliques as buffers, and only one where all live ranges nest.
 *
 * <p><b>Source:</b> Fulkerson and Gross, "Incidence matrices and interval graphs", 1965.
 */
final class MaximalCliques {
    /** The first clique of each buffer. */
    final int[] firsts;
    /** The clique after the last one of each buffer. */
    final int[] ends;

    final int count;

    /** Finds the cliques of some buffers of a problem in O(n) time after two radix sorts. */
    MaximalCliques(PlacementProblem problem, int[] buffers) {
        this.firsts = new int[buffers.length];
        this.ends = new int[buffers.length];
        int[] byFirstStep = sorted(buffers, problem::lower);
        int[] byEndStep = sorted(buffers, problem::upper);
        int cliques = 0;
        int ended = 0;
        boolean isOpen = false;
        for (int i : byFirstStep) {
            while (problem.upper(buffers[byEndStep[ended]]) <= problem.lower(buffers[i])) {
                ends[byEndStep[ended++]] = cliques;
                isOpen = false;
            }
            if (!isOpen) {
                cliques++;
                isOpen = true;
            }
            firsts[i] = cliques - 1;
        }
        while (ended < byEndStep.length) {
            ends[byEndStep[ended++]] = cliques;
        }
        this.count = cliques;
    }

    private static int[] sorted(int[] buffers, IntToLongFunction key) {
        int[] order = IntStream.range(0, buffers.length).toArray();
        RadixSort.sort(order, Arrays.stream(buffers).mapToLong(key).toArray());
        return order;
    }
}
