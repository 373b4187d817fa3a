package io.devicearena.plan.optimal;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Searches for the smallest placement within a budget of time, and says whether what it found is proved optimal.
 *
 * <p>Start from {@link #within}; each further method gives a changed copy. Every plan is smaller than the one before
 * it, and the last is no larger than the default strategy's unless it is within the capacity that was asked for, or the time
 * was up before that one had come to its end. A plan that
 * meets the lower bound ends the search at once.
 *
 * <p>A search that ends by itself or by its number of nodes, not by the time or by the caller, gives the same placement on
 * every JDK and platform. A time that is over cuts the same course of search off at some point: {@link SearchResult#end}
 * says so.
 *
 * <p>A section of time that nothing crosses is searched by itself, and only while it is the highest. With up to 8,192 buffers in each
 * section the search is exact: given time enough, it ends with the smallest placement and the proof. The problem is strongly
 * NP-hard, so that time may be exponential in how many buffers a section has; whatever time there is, the best placement so
 * far is good. Up to 500 buffers of a section both lanes search in depth; above, one of them lowers the best placement by
 * evictions, and above 8,192 both do, where nothing but the lower bound proves a placement optimal. Memory is O(n log n) and, for
 * what a search in depth remembers, up to some ten megabytes for each lane.
 *
 * <p><b>Source:</b> Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023, for
 * canonical placements, dominance, pruning by sections and decomposition in time; Prosser, "Hybrid algorithms for the constraint
 * satisfaction problem", 1993, for jumps back over what a dead end does not rest on; Dechter, "Enhancement schemes for constraint
 * processing: backjumping, learning, and cutset decomposition", 1990, for dead ends that are remembered; Beck, "Solution-guided
 * multi-point constructive search for job shop scheduling", 2007, for tries that follow the best one; Luby, Sinclair and
 * Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993, for their lengths; Nagata and Bräysy, "A Powerful Route
 * Minimization Heuristic for the Vehicle Routing Problem with Time Windows", 2009, for evictions.
 *
 * <p><b>Threads:</b> immutable. A search may start threads of its own, which end with it, but where the time is up, or the caller
 * cancels, while another strategy is at work for it: that one is told so, and ends up to about a second later. Listeners are
 * called on the thread that called the search.
 */
public final class OptimalSearch implements PlacementStrategy {
    private final Duration budget;
    private final long mostNodes;
    private final OptionalLong capacity;
    private final Consumer<SearchProgress> listener;
    private final Consumer<SearchResult> receiver;
    private final BooleanSupplier cancelled;

    private OptimalSearch(
            Duration budget,
            long mostNodes,
            OptionalLong capacity,
            Consumer<SearchProgress> listener,
            Consumer<SearchResult> receiver,
            BooleanSupplier cancelled) {
        this.budget = budget;
        this.mostNodes = mostNodes;
        this.capacity = capacity;
        this.listener = listener;
        this.receiver = receiver;
        this.cancelled = cancelled;
    }

    /**
     * Makes a search for the smallest placement.
     *
     * @param budget how long a search may take, more than zero; the first plan comes on top, up to 2,000 buffers the default
     *     strategy's, for more of them a quick one
     * @return the search
     * @throws IllegalArgumentException if the budget is zero or negative
     */
    public static OptimalSearch within(Duration budget) {
        if (budget.isZero() || budget.isNegative()) {
            throw new IllegalArgumentException("budget: expected more than no time, got " + budget);
        }
        return new OptimalSearch(
                budget, Long.MAX_VALUE, OptionalLong.empty(), progress -> {}, result -> {}, () -> false);
    }

    /**
     * Ends the search as soon as a placement fits, or is proved not to.
     *
     * @param bytes the largest size of the arena that is good enough, those below the problem's origin included; 0 or more
     * @return the changed search
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public OptimalSearch untilItFits(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("capacity: expected 0 or more bytes, got " + bytes);
        }
        return new OptimalSearch(budget, mostNodes, OptionalLong.of(bytes), listener, receiver, cancelled);
    }

    /**
     * Ends the search after some work too, not only after some time: who needs the same bytes from every machine gives a
     * number of nodes that each reaches within the time.
     *
     * @param nodes about how many partial placements to look at, 1 or more; a few are added to end a round
     * @return the changed search
     * @throws IllegalArgumentException if {@code nodes} is less than 1
     */
    public OptimalSearch withinNodes(long nodes) {
        if (nodes < 1) {
            throw new IllegalArgumentException("nodes: expected 1 or more, got " + nodes);
        }
        return new OptimalSearch(budget, nodes, capacity, listener, receiver, cancelled);
    }

    /**
     * Tells a listener how the search goes: at the first plan, at each better one, and some times a second between.
     *
     * @param other called on the thread that called the search; what it throws ends the search and reaches the caller
     * @return the changed search
     */
    public OptimalSearch reportingTo(Consumer<SearchProgress> other) {
        return new OptimalSearch(
                budget, mostNodes, capacity, Objects.requireNonNull(other, "other"), receiver, cancelled);
    }

    /**
     * Ends the search early when the caller says so. An interrupt of the calling thread does the same, and stays set.
     *
     * @param other asked some times a second on the thread that called the search; true ends the search
     * @return the changed search
     */
    public OptimalSearch cancelledWhen(BooleanSupplier other) {
        return new OptimalSearch(
                budget, mostNodes, capacity, listener, receiver, Objects.requireNonNull(other, "other"));
    }

    /**
     * Hands over the whole result where a planner calls {@link #place}, which answers offsets alone.
     *
     * @param other called once a search, on the thread that called it, before the search returns
     * @return the changed search
     */
    public OptimalSearch handingResultTo(Consumer<SearchResult> other) {
        return new OptimalSearch(
                budget, mostNodes, capacity, listener, Objects.requireNonNull(other, "other"), cancelled);
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
    public boolean isEnough(long bytes) {
        return capacity.isPresent() && bytes <= capacity.getAsLong();
    }

    /**
     * Searches.
     *
     * @param problem the buffers
     * @return the best placement, and what is proved of it
     */
    public SearchResult search(PlacementProblem problem) {
        Objects.requireNonNull(problem, "problem");
        long begun = System.nanoTime();
        SearchResult result = new SearchRun(problem, begun, budget, mostNodes, capacity, listener, cancelled).run();
        receiver.accept(result);
        return result;
    }

    @Override
    public String toString() {
        return name() + " within " + budget;
    }
}
