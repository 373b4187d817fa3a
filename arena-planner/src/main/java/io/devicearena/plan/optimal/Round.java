package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.Attempt;
import io.devicearena.plan.internal.exact.Searcher;
import io.devicearena.plan.internal.exact.Searcher.Verdict;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Attempts that lanes make side by side, until one knows an answer.
 *
 * <p>The answer that took the fewest nodes counts, of equal ones the first lane's. A lane that is past the best answer's
 * nodes gives up; so which threads were fast decides nothing.
 *
 * <p>Threads: safe for any thread.
 */
final class Round {
    private final AtomicLong fewestNodes = new AtomicLong(Long.MAX_VALUE);
    private final BooleanSupplier over;

    /**
     * Makes a round.
     *
     * @param over asked by every lane now and then; true ends the round without an answer
     */
    Round(BooleanSupplier over) {
        this.over = over;
    }

    /** Runs an attempt; its verdict counts if no other lane's came after fewer nodes. */
    Verdict run(Searcher lane, Attempt attempt) {
        Verdict verdict = lane.run(attempt, nodes -> nodes > fewestNodes.get() || over.getAsBoolean());
        if (verdict != Verdict.GIVEN_UP) {
            fewestNodes.accumulateAndGet(lane.nodes(), Math::min);
        }
        return verdict;
    }

    /** The nodes after which the first answer came. */
    long fewestNodes() {
        return fewestNodes.get();
    }
}
