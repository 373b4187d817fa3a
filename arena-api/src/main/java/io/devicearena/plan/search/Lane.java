package io.devicearena.plan.search;

import io.devicearena.plan.search.ValleySearch.Verdict;
import java.util.function.LongPredicate;

/**
 * A searcher that makes one attempt at a part after the other and learns from those that failed.
 *
 * <p>Threads: one thread at a time.
 */
final class Lane {
    private static final int REMEMBERED_BITS = 18;

    private final Part part;
    private final FailedStates failed = new FailedStates(REMEMBERED_BITS);
    private final ValleySearch search;
    private long failedAt = Long.MAX_VALUE;

    Lane(Part part) {
        this.part = part;
        this.search = new ValleySearch(part, failed);
    }

    Verdict run(Attempt attempt, LongPredicate stopped) {
        if (attempt.target() > failedAt) {
            // What fails in less room need not fail in more.
            failed.clear();
        }
        failedAt = attempt.target();
        return search.run(attempt.target(), attempt.order(part), attempt.failureWeight(), attempt.limit(), stopped);
    }

    long nodes() {
        return search.nodes();
    }

    void copyOffsets(long[] target) {
        search.copyOffsets(target);
    }
}
