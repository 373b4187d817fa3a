package io.devicearena.bench.table;

import java.util.Arrays;

/** What a stopwatch found: the calls' times, and what they took from the heap together. */
final class Timing {
    private final long[] ascendingNanos;
    private final long heapBytes;

    /** Takes the first so many times. */
    Timing(long[] nanos, int calls, long heapBytes) {
        ascendingNanos = Arrays.copyOf(nanos, calls);
        Arrays.sort(ascendingNanos);
        this.heapBytes = heapBytes;
    }

    /** The time that a share of the calls, 0 to 1, are faster than. */
    double micros(double share) {
        return ascendingNanos[(int) Math.round(share * (ascendingNanos.length - 1))] / 1e3;
    }

    int calls() {
        return ascendingNanos.length;
    }

    double heapBytesPerCall() {
        return (double) heapBytes / calls();
    }
}
