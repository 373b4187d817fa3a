package io.devicearena.bench.table;

import java.util.Arrays;

/** The times of the measured calls, and the heap bytes that all of them allocated. */
final class Timing {
    private final long[] ascendingNanos;
    private final long heapBytes;

    /** Copies the first {@code calls} times. */
    Timing(long[] nanos, int calls, long heapBytes) {
        ascendingNanos = Arrays.copyOf(nanos, calls);
        Arrays.sort(ascendingNanos);
        this.heapBytes = heapBytes;
    }

    /** A quantile of the times, from 0 to 1. */
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
