package io.devicearena.plan.search;

import java.util.function.LongPredicate;

/**
 * Decides whether a part fits in a capacity, or tries to.
 *
 * <p>Threads: one thread at a time.
 */
interface Searcher {
    /** What an attempt has found out. */
    enum Verdict {
        /** A placement: {@link #copyOffsets} has it. */
        FITS,
        /** There is none. */
        DOES_NOT_FIT,
        /** The nodes are used up or the attempt was stopped. */
        GIVEN_UP
    }

    /**
     * Makes an attempt; what it learns serves later ones.
     *
     * @param attempt what is tried
     * @param stopped asked now and then with the nodes so far; true gives up
     */
    Verdict run(Attempt attempt, LongPredicate stopped);

    /** Nodes of the latest attempt. */
    long nodes();

    /** Writes the offsets that the latest attempt has found, in bytes, where the problem has these buffers. */
    void copyOffsets(long[] target);
}
