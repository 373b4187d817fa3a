package io.devicearena.plan.internal.live;

import io.devicearena.plan.internal.sort.RadixSort;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The maximal cliques of live ranges, numbered in order of time from 0: the largest sets of buffers that are all live at
 * one step. A live range becomes a range of cliques.
 *
 * <p>A clique stands for a run of first steps with no end between them. Two live ranges overlap if and only if their
 * ranges of cliques do. There are at most as many cliques as buffers, and only one where all live ranges nest.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> Fulkerson and Gross, "Incidence matrices and interval graphs", 1965.
 */
final class MaximalCliques {
    private final int[] firsts;
    private final int[] ends;
    private final int count;

    /** Finds the cliques of some buffers in O(n) time after two radix sorts. */
    MaximalCliques(PlacementProblem problem, int[] buffers) {
        this.firsts = new int[problem.count()];
        this.ends = new int[problem.count()];
        int[] byFirstStep = sorted(buffers, problem::lower, problem.count());
        int[] byEndStep = sorted(buffers, problem::upper, problem.count());
        int cliques = 0;
        int ended = 0;
        boolean isOpen = false;
        for (int buffer : byFirstStep) {
            while (problem.upper(byEndStep[ended]) <= problem.lower(buffer)) {
                ends[byEndStep[ended++]] = cliques;
                isOpen = false;
            }
            if (!isOpen) {
                cliques++;
                isOpen = true;
            }
            firsts[buffer] = cliques - 1;
        }
        while (ended < byEndStep.length) {
            ends[byEndStep[ended++]] = cliques;
        }
        this.count = cliques;
    }

    private static int[] sorted(int[] buffers, IntToLongFunction key, int count) {
        int[] order = buffers.clone();
        RadixSort.sort(order, IntStream.range(0, count).mapToLong(key).toArray());
        return order;
    }

    int count() {
        return count;
    }

    /** The first clique of a buffer of the problem. */
    int first(int buffer) {
        return firsts[buffer];
    }

    /** The clique after the last one of a buffer of the problem. */
    int end(int buffer) {
        return ends[buffer];
    }
}
