package io.devicearena.kernels.sampling;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The largest logits on the host, in descending order; of equal ones the lower index is first. A search allocates
 * nothing.
 */
final class Candidates {
    private static final int INDEX_BITS = 31;
    private static final long LARGEST = 0xffffffffL;

    private final HostValues host;
    private final MemorySegment logits;
    private final int vocabulary;
    private final IntConsumer search = this::search;

    /**
     * Of each task the best of its part, sorted. Each is a logit, ordered so that the largest is the smallest number,
     * and below it the index.
     */
    private final long[][] found;

    /** How many of each task are in {@code best}. */
    private final int[] taken;

    private final long[] best;

    Candidates(HostValues host, NodeId logits, int vocabulary, int count) {
        this.host = host;
        this.logits = HostFloats.words(host, logits, vocabulary);
        this.vocabulary = vocabulary;
        found = new long[Math.min(host.threads(), (vocabulary - 1) / count + 1)][count];
        taken = new int[found.length];
        best = new long[count];
    }

    static void checkVocabulary(int vocabulary) {
        if (vocabulary < 1) {
            throw new IllegalArgumentException("vocabulary: expected 1 or more logits, got " + vocabulary);
        }
    }

    /** Finds the largest of the logits as they are now. */
    void find() {
        host.parallel(found.length, search);
        Arrays.fill(taken, 0);
        for (int rank = 0; rank < best.length; rank++) {
            int task = 0;
            for (int other = 1; other < found.length; other++) {
                if (found[other][taken[other]] < found[task][taken[task]]) {
                    task = other;
                }
            }
            best[rank] = found[task][taken[task]];
            taken[task]++;
        }
    }

    private void search(int task) {
        int first = (int) ((long) vocabulary * task / found.length);
        int end = (int) ((long) vocabulary * (task + 1) / found.length);
        long[] own = found[task];
        Arrays.fill(own, Long.MAX_VALUE);
        long least = -1; // the ordered logit of the last of its own
        for (int i = next(first, end, least); i < end; i = next(i + 1, end, least)) {
            insert(own, (LARGEST - ordered(i)) << INDEX_BITS | i);
            long last = own[own.length - 1];
            least = last == Long.MAX_VALUE ? -1 : LARGEST - (last >>> INDEX_BITS);
        }
    }

    /** The next logit above another one: the loop that takes the time. */
    private int next(int first, int end, long least) {
        int i = first;
        while (i < end && ordered(i) <= least) {
            i++;
        }
        return i;
    }

    /** An integer of 32 bits that is ordered as the logits are: 0 for a NaN, which no number has. */
    private long ordered(int index) {
        int bits = HostFloats.word(logits, index);
        if ((bits & 0x7fffffff) > 0x7f800000) {
            return 0;
        }
        return Integer.toUnsignedLong(
                bits ^ ((bits >> (Integer.SIZE - 1)) | Integer.MIN_VALUE)); // no branch to predict
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

    float logit(int rank) {
        return HostFloats.get(logits, token(rank));
    }

    /** Whether a candidate has the same logit as the first. */
    boolean isEqualToFirst(int rank) {
        return best[rank] >>> INDEX_BITS == best[0] >>> INDEX_BITS;
    }
}
