package io.devicearena.plan.optimal;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Searches for the smallest placement within a time limit and reports whether the result is proved optimal.
 *
 * <p>Start from {@link #withTimeLimit}; each further method returns a changed copy. The search begins with the
 * placements of {@code fast} and of the default strategy, and then only finds smaller ones, down to the lower bound.
 * Unless the time limit ends it, it gives the same placement on every JDK and platform.
 *
 * <p>Buffers whose live ranges are connected form a component, which is searched by itself, and only while it decides
 * the size of the arena. Up to 8,192 buffers in each component the search is exact: with enough time, perhaps
 * exponential, it ends with the smallest placement and the proof. Up to 500 buffers two branch-and-bound solvers work
 * side by side; above, one of them improves the best placement by ejection; above 8,192 both do, and only the lower
 * bound proves a placement optimal. Memory is O(n log n), plus 4 MiB for each branch-and-bound solver.
 *
 * <p><b>Source:</b> Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning",
 * ASPLOS 2023, for branch and bound; Nagata and Bräysy, "A Powerful Route Minimization Heuristic for the Vehicle
 * Routing Problem with Time Windows", 2009, for ejection.
 *
 * <p><b>Threads:</b> immutable. A search starts two daemon threads, which end with it. If the time limit or the caller
 * ends it while another strategy runs, that one is cancelled and its thread ends up to about a second later. Listeners
 * are called on the thread that called the search.
 */
public final class OptimalSearch implements PlacementStrategy {
    private final Duration timeLimit;
    private final long nodeLimit;
    private final OptionalLong capacity;
    private final Consumer<SearchProgress> onProgress;
    private final Consumer<SearchResult> onResult;
    private final BooleanSupplier cancelled;

    private OptimalSearch(
            Duration timeLimit,
            long nodeLimit,
            OptionalLong capacity,
            Consumer<SearchProgress> onProgress,
            Consumer<SearchResult> onResult,
            BooleanSupplier cancelled) {
        this.timeLimit = timeLimit;
        this.nodeLimit = nodeLimit;
        this.capacity = capacity;
        this.onProgress = Objects.requireNonNull(onProgress, "listener");
        this.onResult = Objects.requireNonNull(onResult, "listener");
        this.cancelled = Objects.requireNonNull(cancelled, "condition");
    }

    /**
     * Makes a search for the smallest placement.
     *
     * @param timeLimit how long a search may take, more than zero; the first placement is made in any case
     * @return the search
     * @throws IllegalArgumentException if the time limit is zero or negative
     */
    public static OptimalSearch withTimeLimit(Duration timeLimit) {
        if (!timeLimit.isPositive()) {
            throw new IllegalArgumentException("timeLimit: expected more than zero, got " + timeLimit);
        }
        return new OptimalSearch(timeLimit, Long.MAX_VALUE, OptionalLong.empty(), p -> {}, r -> {}, () -> false);
    }

    /**
     * Ends the search as soon as a placement fits a capacity, or is proved not to.
     *
     * @param bytes the largest arena that is good enough, bytes below the problem's origin included; 0 or more
     * @return the changed search
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public OptimalSearch withCapacity(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("capacity: expected 0 or more bytes, got " + bytes);
        }
        return new OptimalSearch(timeLimit, nodeLimit, OptionalLong.of(bytes), onProgress, onResult, cancelled);
    }

    /**
     * Limits the work too. To get the same bytes everywhere, set a limit that each machine reaches in time.
     *
     * @param nodes about how many partial placements to visit, 1 or more; the search may visit a few more
     * @return the changed search
     * @throws IllegalArgumentException if {@code nodes} is less than 1
     */
    public OptimalSearch withNodeLimit(long nodes) {
        if (nodes < 1) {
            throw new IllegalArgumentException("nodes: expected 1 or more, got " + nodes);
        }
        return new OptimalSearch(timeLimit, nodes, capacity, onProgress, onResult, cancelled);
    }

    /**
     * Reports progress at the first placement, at each better one, and a few times a second in between.
     *
     * @param listener called on the thread that called the search; an exception of it ends the search and reaches
     *     the caller
     * @return the changed search
     */
    public OptimalSearch onProgress(Consumer<SearchProgress> listener) {
        return new OptimalSearch(timeLimit, nodeLimit, capacity, listener, onResult, cancelled);
    }

    /**
     * Ends the search early on a condition. An interrupt of the calling thread does the same, and stays set.
     *
     * @param condition asked many times a second on the thread that called the search; true ends the search
     * @return the changed search
     */
    public OptimalSearch cancelWhen(BooleanSupplier condition) {
        return new OptimalSearch(timeLimit, nodeLimit, capacity, onProgress, onResult, condition);
    }

    /**
     * Passes the whole result to a listener where a planner calls {@link #place}, which returns offsets only.
     *
     * @param listener called once for each search, on the thread that called it, before the search returns
     * @return the changed search
     */
    public OptimalSearch onResult(Consumer<SearchResult> listener) {
        return new OptimalSearch(timeLimit, nodeLimit, capacity, onProgress, listener, cancelled);
    }

    @Override
    public String name() {
        return "optimal";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        return search(problem).offsets();
    }

    @Override
    public boolean isGoodEnough(long bytes) {
        return capacity.isPresent() && bytes <= capacity.getAsLong();
    }

    /**
     * {@return the best placement of the buffers of a problem, and what is proved about it}
     *
     * @param problem the buffers
     */
    public SearchResult search(PlacementProblem problem) {
        Objects.requireNonNull(problem, "problem");
        SearchBudget budget = new SearchBudget(timeLimit, nodeLimit, cancelled);
        SearchResult result = new SearchRun(problem, budget, capacity, onProgress).run();
        onResult.accept(result);
        return result;
    }

    @Override
    public String toString() {
        return name() + " within " + timeLimit;
    }
}
