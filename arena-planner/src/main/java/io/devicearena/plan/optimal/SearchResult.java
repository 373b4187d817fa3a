package io.devicearena.plan.optimal;

import java.time.Duration;

/**
 * The best placement that a search has found, always valid, and what it has proved.
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

    /** {@return the bytes of the arena that the placement needs, those below the problem's origin included} */
    public long arenaBytes() {
        return last.arenaBytes();
    }

    /** {@return the bytes that every placement needs as far as proved, those below the problem's origin included} */
    public long lowerBound() {
        return last.lowerBound();
    }

    /** {@return whether no smaller arena is possible: the lower bound equals the arena bytes} */
    public boolean isProvedOptimal() {
        return arenaBytes() == lowerBound();
    }

    /** {@return why the search ended} */
    public StopReason stopReason() {
        return stopReason;
    }

    /** {@return the bytes that the capacity lacks at least: 1 or more after {@code INFEASIBLE}, 0 otherwise} */
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
