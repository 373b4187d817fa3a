package io.devicearena.plan.optimal;

import java.time.Duration;

/**
 * What a search has found and what it has proved.
 *
 * <p>It always has a valid placement, the best one found, whatever ended the search.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SearchResult {
    private final long[] offsets;
    private final SearchProgress last;
    private final SearchEnd end;
    private final long missing;

    SearchResult(long[] offsets, SearchProgress last, SearchEnd end, long missing) {
        this.offsets = offsets.clone();
        this.last = last;
        this.end = end;
        this.missing = missing;
    }

    /**
     * The best placement found.
     *
     * @return an offset in bytes for each buffer, in the problem's order; a copy
     */
    public long[] offsets() {
        return offsets.clone();
    }

    /**
     * The size of the arena that the placement needs.
     *
     * @return bytes up to the end of the highest buffer, those below the problem's origin included; the origin itself
     *     where no buffer takes room
     */
    public long height() {
        return last.height();
    }

    /**
     * What every placement needs, as far as the search has proved.
     *
     * @return bytes, those below the problem's origin included; at most {@link #height}, and equal to it exactly when the
     *     placement is {@link #isProvedOptimal proved optimal}
     */
    public long lowerBound() {
        return last.lowerBound();
    }

    /**
     * Tells whether no smaller arena is possible.
     *
     * @return true when that is proved; false when a smaller one may exist
     */
    public boolean isProvedOptimal() {
        return height() == lowerBound();
    }

    /**
     * Why the search ended.
     *
     * @return the reason
     */
    public SearchEnd end() {
        return end;
    }

    /**
     * How far the capacity that was asked for is from the least that every placement needs.
     *
     * @return bytes, at least 1 when the search ended with {@link SearchEnd#PROVED_NOT_TO_FIT}; 0 otherwise
     */
    public long missingBytes() {
        return missing;
    }

    /**
     * How many partial placements the search looked at.
     *
     * @return 0 when the first plan was good enough
     */
    public long nodes() {
        return last.nodes();
    }

    /**
     * How long the search took.
     *
     * @return the time from the call to the answer
     */
    public Duration elapsed() {
        return last.elapsed();
    }

    @Override
    public String toString() {
        return "SearchResult[end=" + end + ", height=" + height() + ", lowerBound=" + lowerBound() + ", nodes="
                + nodes() + "]";
    }
}
