package io.devicearena.plan.optimal;

import java.time.Duration;

/**
 * The best placement that a search has found, and what it has proved.
 *
 * <p>The placement is always valid, whatever ended the search.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SearchResult {
    private final long[] offsets;
    private final SearchProgress last;
    private final StopReason stopReason;
    private final long shortfallBytes;

    SearchResult(long[] offsets, SearchProgress last, StopReason stopReason, long shortfallBytes) {
        this.offsets = offsets.clone();
        this.last = last;
        this.stopReason = stopReason;
        this.shortfallBytes = shortfallBytes;
    }

    /** {@return an offset in bytes for each buffer, in the problem's order: the best placement found; a copy} */
    public long[] offsets() {
        return offsets.clone();
    }

    /**
     * Returns the size of the arena that the placement needs.
     *
     * @return bytes up to the end of the highest buffer, those below the problem's origin included; the origin
     *     itself if no buffer takes bytes
     */
    public long arenaBytes() {
        return last.arenaBytes();
    }

    /**
     * Returns the size that every placement needs, as far as the search has proved.
     *
     * @return bytes, those below the problem's origin included; at most {@link #arenaBytes}, and equal to it
     *     exactly if the placement is {@link #isProvedOptimal proved optimal}
     */
    public long lowerBound() {
        return last.lowerBound();
    }

    /** {@return whether it is proved that no smaller arena is possible} */
    public boolean isProvedOptimal() {
        return arenaBytes() == lowerBound();
    }

    /** {@return why the search ended} */
    public StopReason stopReason() {
        return stopReason;
    }

    /**
     * Returns how many bytes the requested capacity lacks at least.
     *
     * @return bytes, at least 1 if the search ended with {@link StopReason#INFEASIBLE}; 0 otherwise
     */
    public long shortfallBytes() {
        return shortfallBytes;
    }

    /** {@return how many partial placements the search visited; 0 if a first placement was good enough} */
    public long nodes() {
        return last.nodes();
    }

    /** {@return the time from the call to the result} */
    public Duration elapsed() {
        return last.elapsed();
    }

    @Override
    public String toString() {
        return "SearchResult[stopReason=" + stopReason + ", arenaBytes=" + arenaBytes() + ", lowerBound=" + lowerBound()
                + ", nodes=" + nodes() + "]";
    }
}
