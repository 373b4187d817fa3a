package io.devicearena.plan.strategy;

import io.devicearena.plan.internal.greedy.EarliestFirst;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.skyline.SkylinePacker;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The strategies that need no clock, by name.
 *
 * <ul>
 *   <li>{@code balanced}, the default, tries several placements and improves the best one. It meets the lower bound on
 *       nearly all real networks, within 0.3 % on all that were measured, and takes at most a tenth of a second for a
 *       thousand buffers and some seconds for a million.
 *   <li>{@code fast} makes one pass in O(n log n) time, about a microsecond a buffer. It never needs fewer bytes than
 *       {@code balanced}.
 * </ul>
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread. Both strategies work on the calling thread.
 */
public final class PlacementStrategies {
    private static final PlacementStrategy BALANCED = new StepCounted("balanced", BalancedStrategy::place);
    private static final PlacementStrategy FAST = new StepCounted("fast", PlacementStrategies::placeFast);
    private static final List<PlacementStrategy> ALL = List.of(BALANCED, FAST);

    private PlacementStrategies() {}

    /** A strategy that counts steps: its algorithm gets the buffers that can conflict, and whether it is cancelled. */
    private record StepCounted(String name, BiFunction<LiveRanges, BooleanSupplier, long[]> algorithm)
            implements PlacementStrategy {
        @Override
        public long[] place(PlacementProblem problem) {
            return place(problem, () -> false);
        }

        @Override
        public long[] place(PlacementProblem problem, BooleanSupplier cancelled) {
            return LiveRanges.place(problem, ranges -> algorithm.apply(ranges, cancelled));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Skyline packing, once; best fit in order of time where an input makes that take too long. */
    private static long[] placeFast(LiveRanges ranges, BooleanSupplier cancelled) {
        StepBudget budget = new StepBudget(StrategyTuning.SKYLINE_STEPS_PER_BUFFER * ranges.count(), cancelled);
        return SkylinePacker.place(ranges, StrategyTuning.TIME, budget).orElseGet(() -> EarliestFirst.place(ranges));
    }

    /** {@return the strategy {@code balanced}, the default} */
    public static PlacementStrategy balanced() {
        return BALANCED;
    }

    /** {@return the strategy {@code fast}, which takes the least time} */
    public static PlacementStrategy fast() {
        return FAST;
    }

    /** {@return the strategies, at least one, the default first} */
    public static List<PlacementStrategy> all() {
        return ALL;
    }

    /**
     * {@return the strategy of a name}
     *
     * @param name its name, as {@link PlacementStrategy#name} gives it
     * @throws IllegalArgumentException if there is none of that name; the message lists those there are
     */
    public static PlacementStrategy named(String name) {
        Objects.requireNonNull(name, "name");
        return ALL.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("strategy: expected one of "
                        + ALL.stream().map(PlacementStrategy::name).collect(Collectors.joining(", ")) + ", got '"
                        + name + "'"));
    }
}
