package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.FeasibilitySolver;
import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.exact.SearchParameters;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Runs solvers side by side until one has an answer.
 *
 * <p>The answer after the fewest nodes counts, so the speed of threads decides nothing. A solver stops when it has
 * passed the best answer's nodes.
 *
 * <p>Threads: safe for any thread.
 */
final class SolverRace {
    private final AtomicLong fewestNodes = new AtomicLong(Long.MAX_VALUE);
    private final BooleanSupplier over;

    /** Makes a race that ends without an answer as soon as {@code over} returns true. */
    SolverRace(BooleanSupplier over) {
        this.over = over;
    }

    Verdict run(FeasibilitySolver solver, SearchParameters parameters) {
        Verdict verdict = solver.run(parameters, nodes -> nodes > fewestNodes.get() || over.getAsBoolean());
        if (verdict != Verdict.UNKNOWN) {
            fewestNodes.accumulateAndGet(solver.nodes(), Math::min);
        }
        return verdict;
    }

    /** The nodes of the answer that counts; the largest long if there is none. */
    long fewestNodes() {
        return fewestNodes.get();
    }
}
