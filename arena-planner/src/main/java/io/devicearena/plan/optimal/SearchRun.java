package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.Attempt;
import io.devicearena.plan.internal.exact.DeepStack;
import io.devicearena.plan.internal.exact.Searcher;
import io.devicearena.plan.internal.exact.Searcher.Verdict;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategies;
import io.devicearena.plan.placement.PlacementStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One search, from the first plan to the result: always at the highest part, because it alone decides the arena's size.
 *
 * <p>Threads: one thread at a time, which calls the listeners; two more do whatever may take long. When the search is over they are told
 * so and left: they end soon after.
 */
final class SearchRun {
    private static final long WAIT_NANOS = 20_000_000;
    private static final long REPORT_NANOS = 200_000_000;
    /** Up to so many buffers a short search from a quick plan comes before the default strategy, which takes longer. */
    private static final int MOST_SMALL = 2_000;

    /** In less time than that no strategy beyond the instant one is done, so none is begun. */
    private static final long NANOS_PER_BUFFER = 1_000;

    private static final long SHORT_SEARCH_NODES = 32_768;
    /** At once for any input. */
    private static final PlacementStrategy INSTANT = PlacementStrategies.named("longest-on-top");
    /** A microsecond or two a buffer whatever the input, and nearly good where the fast one gives up. */
    private static final PlacementStrategy STEADY = PlacementStrategies.named("earliest-first");
    /** Some microseconds a buffer, and nearly good. */
    private static final PlacementStrategy FAST = PlacementStrategies.named("skyline-best-fit");
    /** At once for few buffers; for many it is done when it is given up by the default strategy. */
    private static final PlacementStrategy QUICK = PlacementStrategies.named("largest-first");

    private static final PlacementStrategy DEFAULT = PlacementStrategies.all().getFirst();

    private final PlacementProblem problem;
    private final long deadline;
    private final long begun;
    private final long mostNodes;
    private final OptionalLong capacity;
    private final Consumer<SearchProgress> listener;
    private final BooleanSupplier cancelled;

    private final boolean isSmall;
    private final long[] offsets;
    private long height;
    private long lowerBound;
    private long nodes;
    private long lastReport;
    private volatile boolean over;
    private boolean isCancelled;
    private boolean interrupted;

    SearchRun(
            PlacementProblem problem,
            long begun,
            Duration budget,
            long mostNodes,
            OptionalLong capacity,
            Consumer<SearchProgress> listener,
            BooleanSupplier cancelled) {
        this.problem = problem;
        this.begun = begun;
        this.deadline = begun + nanos(budget);
        this.mostNodes = mostNodes;
        this.capacity = capacity;
        this.listener = listener;
        this.cancelled = cancelled;
        this.isSmall = problem.count() <= MOST_SMALL;
        this.offsets = (isSmall ? QUICK : INSTANT).place(problem);
        this.height = height(problem, offsets);
        this.lowerBound = Math.max(restingHeight(problem), problem.origin() + problem.lowerBound());
    }

    private static long nanos(Duration budget) {
        // Differences of nanoTime are good for centuries only.
        return budget.compareTo(Duration.ofDays(36_500)) > 0
                ? Duration.ofDays(36_500).toNanos()
                : budget.toNanos();
    }

    /** What buffers with an empty life take, which are at 0. */
    private static long restingHeight(PlacementProblem problem) {
        long height = problem.origin();
        for (int i = 0; i < problem.count(); i++) {
            if (!problem.occupies(i)) {
                height = Math.max(height, problem.size(i));
            }
        }
        return height;
    }

    private static long height(PlacementProblem problem, long[] offsets) {
        long height = problem.origin();
        for (int i = 0; i < offsets.length; i++) {
            height = Math.max(height, offsets[i] + problem.size(i));
        }
        return height;
    }

    SearchResult run() {
        long bound = lowerBound;
        report();
        if (!isAnswered() && !isOver()) {
            searchOnThreads();
        }
        SearchEnd end = end(bound);
        long missing = end == SearchEnd.PROVED_NOT_TO_FIT ? lowerBound - capacity.getAsLong() : 0;
        return new SearchResult(offsets, progress(), end, missing);
    }

    private SearchEnd end(long bound) {
        if (capacity.isPresent() && height <= capacity.getAsLong()) {
            return SearchEnd.CAPACITY_MET;
        }
        if (capacity.isPresent() && lowerBound > capacity.getAsLong()) {
            return SearchEnd.PROVED_NOT_TO_FIT;
        }
        if (height == lowerBound) {
            return height == bound ? SearchEnd.BOUND_MET : SearchEnd.PROVED_OPTIMAL;
        }
        if (nodes >= mostNodes) {
            return SearchEnd.NODES_OVER;
        }
        return isCancelled ? SearchEnd.CANCELLED : SearchEnd.BUDGET_OVER;
    }

    private boolean isAnswered() {
        return height == lowerBound
                || (capacity.isPresent() && (height <= capacity.getAsLong() || lowerBound > capacity.getAsLong()));
    }

    private void searchOnThreads() {
        ExecutorService workers =
                Executors.newFixedThreadPool(PartSearch.LANES, work -> DeepStack.thread(work, "optimal-search"));
        try {
            if (!isSmall && deadline - System.nanoTime() > NANOS_PER_BUFFER * problem.count()) {
                takeStrategies(workers);
            }
            if (!isAnswered() && !isOver()) {
                await(workers.submit(this::parts)).ifPresent(parts -> searchParts(parts, workers));
            }
        } finally {
            // Also where a listener throws: the lanes must not search on, nor a strategy whose answer nobody waits for.
            over = true;
            workers.shutdownNow();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes the best of some strategies that may take longer than there is time: first those that are done first. */
    private void takeStrategies(ExecutorService workers) {
        List<Future<Optional<long[]>>> running = Stream.of(STEADY, FAST, DEFAULT, QUICK)
                .map(strategy -> workers.submit(() -> placed(strategy)))
                .toList();
        for (Future<Optional<long[]>> strategy : running) {
            if (!isAnswered()) {
                await(strategy).flatMap(Function.identity()).ifPresent(this::take);
            }
        }
    }

    /** The offsets that a strategy gives; nothing where the search is over before. */
    private Optional<long[]> placed(PlacementStrategy strategy) {
        try {
            return Optional.of(strategy.place(problem, () -> over));
        } catch (CancellationException e) {
            return Optional.empty(); // nobody waits for it
        }
    }

    private void take(long[] other) {
        long otherHeight = height(problem, other);
        if (otherHeight < height) {
            System.arraycopy(other, 0, offsets, 0, offsets.length);
            height = otherHeight;
            report();
        }
    }

    private List<PartSearch> parts() {
        return Part.of(problem).stream()
                .map(part -> new PartSearch(part, offsets))
                .toList();
    }

    private void searchParts(List<PartSearch> all, ExecutorService workers) {
        lowerBound = Math.max(
                lowerBound, all.stream().mapToLong(PartSearch::lowerBound).max().orElseThrow());
        List<PartSearch> parts =
                all.stream().filter(part -> part.height() > lowerBound).toList();
        if (isAnswered()) {
            return;
        }
        if (isSmall) {
            searchHighest(parts, workers, Math.min(SHORT_SEARCH_NODES, mostNodes));
            takeDefault(parts);
        }
        searchHighest(parts, workers, mostNodes);
    }

    /** Whatever ends the search: no plan is larger than the default one. */
    private void takeDefault(List<PartSearch> parts) {
        if (!isAnswered()) {
            long[] other = DEFAULT.place(problem);
            parts.forEach(part -> part.takeIfLower(other));
            measure(parts);
        }
    }

    private void searchHighest(List<PartSearch> parts, ExecutorService workers, long untilNodes) {
        while (!isAnswered() && nodes < untilNodes && !isOver()) {
            PartSearch highest = parts.stream()
                    .max(Comparator.comparingLong(PartSearch::height))
                    .orElseThrow();
            Optional<Searcher[]> lanes = await(workers.submit(highest::prepare));
            if (lanes.isPresent()) {
                play(highest, lanes.get(), workers, untilNodes - nodes);
            }
            lowerBound = Math.max(lowerBound, highest.lowerBound());
            measure(parts);
        }
    }

    private void measure(List<PartSearch> parts) {
        long now = parts.stream().mapToLong(PartSearch::height).max().orElseThrow();
        if (now < height) {
            // What is not searched is no higher than the bound.
            height = Math.max(now, lowerBound);
            report();
        }
    }

    private void play(PartSearch part, Searcher[] lanes, ExecutorService workers, long mostOfAll) {
        Attempt[] attempts = part.nextRound(lowerBound, capacity, mostOfAll);
        Round round = new Round(() -> over);
        List<Future<Verdict>> running = new ArrayList<>();
        for (int i = 0; i < lanes.length; i++) {
            Searcher lane = lanes[i];
            Attempt attempt = attempts[i];
            running.add(workers.submit(() -> round.run(lane, attempt)));
        }
        List<Verdict> verdicts = running.stream().map(this::awaitLane).toList();
        for (Searcher lane : lanes) {
            nodes += Math.min(lane.nodes(), round.fewestNodes());
        }
        for (int i = 0; i < lanes.length; i++) {
            boolean counts = over || lanes[i].nodes() == round.fewestNodes();
            if (counts && verdicts.get(i) == Verdict.FITS) {
                part.found(lanes[i]);
            } else if (counts && verdicts.get(i) == Verdict.DOES_NOT_FIT) {
                part.ruledOut(attempts[i].target());
            }
        }
    }

    /** Waits for a lane, which ends soon after the search is over. */
    private Verdict awaitLane(Future<Verdict> lane) {
        while (true) {
            Optional<Verdict> verdict = await(lane);
            if (verdict.isPresent()) {
                return verdict.get();
            }
        }
    }

    /** Waits until work is done, and meanwhile looks at the clock and listens to the caller; empty when the search is over first. */
    private <T> Optional<T> await(Future<T> work) {
        while (true) {
            try {
                return Optional.of(work.get(WAIT_NANOS, TimeUnit.NANOSECONDS));
            } catch (TimeoutException stillRunning) {
                over = isOver();
                if (System.nanoTime() - lastReport > REPORT_NANOS) {
                    report();
                }
            } catch (InterruptedException interrupt) {
                // The lanes end at once; the caller finds its thread interrupted after that.
                interrupted = true;
                over = isOver();
            } catch (ExecutionException failure) {
                throw new IllegalStateException("search: expected an answer, got a failure", failure.getCause());
            }
            if (over) {
                return Optional.empty();
            }
        }
    }

    private boolean isOver() {
        isCancelled = isCancelled || interrupted || Thread.currentThread().isInterrupted() || cancelled.getAsBoolean();
        return isCancelled || System.nanoTime() - deadline >= 0;
    }

    private void report() {
        lastReport = System.nanoTime();
        listener.accept(progress());
    }

    private SearchProgress progress() {
        return new SearchProgress(height, lowerBound, Duration.ofNanos(System.nanoTime() - begun), nodes);
    }
}
