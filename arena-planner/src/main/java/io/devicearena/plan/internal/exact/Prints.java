package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.Arrays;

/**
 * Fingerprints of 128 bits of ranges of moments: of the floors, and of the buffers still to be placed with the addresses they are kept
 * from. Moments with nothing left are all alike.
 *
 * <p>Threads: one thread at a time. Source: Zobrist, "A new hashing method with application for game playing", 1970.
 */
final class Prints {
    private final Lifetimes part;
    private final long[] floor;
    private final long[] rest;
    private final long[] bufferPrints;
    private final long[] momentPrints;
    /** Of the buffers still to be placed at each moment. */
    private final long[] restPrints;

    private final long[] low;
    private final long[] high;
    private final boolean[] isTaken;
    /** Of all moments before each one, from where they were taken on. */
    private final long[] lowSums;

    private final long[] highSums;

    /**
     * Makes the fingerprints of a terrain.
     *
     * @param part the buffers
     * @param floor the terrain's floor at each moment; not a copy
     * @param rest units still to be placed at each moment; not a copy
     */
    Prints(Lifetimes part, long[] floor, long[] rest) {
        this.part = part;
        this.floor = floor;
        this.rest = rest;
        int moments = part.moments();
        this.bufferPrints = new long[part.count()];
        this.momentPrints = new long[moments];
        this.restPrints = new long[moments];
        this.low = new long[moments];
        this.high = new long[moments];
        this.isTaken = new boolean[moments];
        this.lowSums = new long[moments + 1];
        this.highSums = new long[moments + 1];
        long seed = 0;
        for (int i = 0; i < bufferPrints.length; i++) {
            seed += 0x9E3779B97F4A7C15L;
            bufferPrints[i] = FailedStates.mix(seed);
        }
        for (int m = 0; m < moments; m++) {
            // Not that of 0, which is 0 and would be that of an empty slot.
            momentPrints[m] = FailedStates.mix(m + 1);
        }
    }

    /** Forgets all: no buffer is still to be placed. */
    void clear() {
        Arrays.fill(restPrints, 0);
        Arrays.fill(isTaken, false);
    }

    /** Adds a buffer to those still to be placed, or takes it from those. */
    void toggle(int buffer, long keptBelow) {
        change(buffer, printOf(buffer, keptBelow));
    }

    /** Keeps a buffer from other addresses than before. */
    void lift(int buffer, long keptBefore, long keptBelow) {
        change(buffer, printOf(buffer, keptBefore) ^ printOf(buffer, keptBelow));
    }

    private long printOf(int buffer, long keptBelow) {
        return keptBelow == 0 ? bufferPrints[buffer] : FailedStates.mix(bufferPrints[buffer] + keptBelow);
    }

    private void change(int buffer, long difference) {
        for (int m = part.first(buffer); m <= part.last(buffer); m++) {
            restPrints[m] ^= difference;
            isTaken[m] = false;
        }
    }

    /** Forgets those of moments whose floor has changed. */
    void forget(int first, int end) {
        Arrays.fill(isTaken, first, end, false);
    }

    /** Takes those of all ranges within one, as everything is now. */
    void take(int from, int to) {
        long lowSum = 0;
        long highSum = 0;
        lowSums[from] = 0;
        highSums[from] = 0;
        for (int m = from; m < to; m++) {
            if (!isTaken[m]) {
                low[m] = rest[m] == 0 ? momentPrints[m] : FailedStates.mix(floor[m] + momentPrints[m]) ^ restPrints[m];
                high[m] = FailedStates.mix(low[m]);
                isTaken[m] = true;
            }
            lowSum += low[m];
            highSum += high[m];
            lowSums[m + 1] = lowSum;
            highSums[m + 1] = highSum;
        }
    }

    /** Half of the fingerprint of a range within the one that was taken last. */
    long low(int from, int to) {
        return lowSums[to] - lowSums[from];
    }

    /** The other half. */
    long high(int from, int to) {
        return highSums[to] - highSums[from];
    }
}
