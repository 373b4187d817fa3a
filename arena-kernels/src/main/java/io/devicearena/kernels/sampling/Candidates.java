package io.devicearena.kernels.sampling;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The largest logits on the host, in descending order; of equal ones the lower index is first. */
final class Candidates {
    private static final int INDEX_BITS = 31;

    /** Each a logit, ordered so that the largest is the smallest number, and below it the index. */
    private final long[] best;

    private Candidates(long[] best) {
        this.best = best;
    }

    static Candidates of(HostValues host, MemorySegment logits, int vocabulary, int count) {
        int tasks = Math.min(host.threads(), (vocabulary - 1) / count + 1);
        long[] all = new long[tasks * count];
        host.parallel(tasks, task -> {
            int first = (int) ((long) vocabulary * task / tasks);
            int end = (int) ((long) vocabulary * (task + 1) / tasks);
            long[] own = new long[count];
            Arrays.fill(own, Long.MAX_VALUE);
            for (int i = first; i < end; i++) {
                long candidate = candidate(HostFloats.word(logits, i), i);
                if (candidate < own[count - 1]) {
                    insert(own, candidate);
                }
            }
            System.arraycopy(own, 0, all, task * count, count);
        });
        Arrays.sort(all);
        return new Candidates(Arrays.copyOf(all, count));
    }

    private static long candidate(int bits, int index) {
        return (0xffffffffL - Integer.toUnsignedLong(Choice.ordered(bits))) << INDEX_BITS | index;
    }

    /** Puts a candidate in its place among sorted ones, and drops the last. */
    private static void insert(long[] sorted, long candidate) {
        int at = -Arrays.binarySearch(sorted, candidate) - 1;
        System.arraycopy(sorted, at, sorted, at + 1, sorted.length - 1 - at);
        sorted[at] = candidate;
    }

    int token(int rank) {
        return (int) (best[rank] & Integer.MAX_VALUE);
    }

    /** Whether a candidate has the same logit as the first. */
    boolean isEqualToFirst(int rank) {
        return best[rank] >>> INDEX_BITS == best[0] >>> INDEX_BITS;
    }
}
