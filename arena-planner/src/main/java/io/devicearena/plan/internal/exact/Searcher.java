package io.devicearena.plan.internal.exact;

import java.util.function.LongPredicate;

/**
 * Decides whether a part fits in a capacity, or tries to.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface Searcher {
    /** What an attempt has found out. */
    enum Verdict {
        /** A placement: {@link #addresses} has it. */
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

    /** The addresses of the part's buffers that the latest attempt has found; not a copy. */
    long[] addresses();
}
