package io.devicearena.plan.optimal;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads of one search. The calling thread waits for them, and meanwhile watches the budget. */
final class Workers implements AutoCloseable {
    private final ExecutorService threads = Executors.newFixedThreadPool(SearchLimits.SOLVERS, Workers::thread);
    private final SearchBudget budget;
    private final Runnable whileWaiting;
    private boolean isInterrupted;

    Workers(SearchBudget budget, Runnable whileWaiting) {
        this.budget = budget;
        this.whileWaiting = whileWaiting;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "optimal-search", SearchLimits.STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }

    <T> Future<T> submit(Callable<T> work) {
        return threads.submit(work);
    }

    /** Waits for a result; empty if the budget ends first. */
    <T> Optional<T> await(Future<T> work) {
        while (true) {
            try {
                return Optional.of(work.get(SearchLimits.WAIT_NANOS, TimeUnit.NANOSECONDS));
            } catch (TimeoutException stillRunning) {
                budget.check();
                whileWaiting.run();
            } catch (InterruptedException interrupt) {
                // The caller finds its thread interrupted after the search.
                isInterrupted = true;
                budget.cancel();
            } catch (ExecutionException failure) {
                throw new IllegalStateException("optimal: a worker thread failed", failure.getCause());
            }
            if (budget.isOver()) {
                return Optional.empty();
            }
        }
    }

    /** Waits for a result of work that stops soon after the budget ends. */
    <T> T join(Future<T> work) {
        Optional<T> result;
        do {
            result = await(work);
        } while (result.isEmpty());
        return result.get();
    }

    /** Ends the budget, so that all work stops soon, and restores an interrupt. */
    @Override
    public void close() {
        budget.end();
        threads.shutdownNow();
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
