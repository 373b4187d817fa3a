package io.devicearena.plan.strategy;

import io.devicearena.plan.placement.PlacementStrategy;
import java.util.List;
import java.util.Objects;
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
 * <p>The third strategy, {@code optimal}, searches within a budget of time: {@code
 * io.devicearena.plan.optimal.OptimalSearch}.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread. Both strategies work on the calling thread.
 */
public final class PlacementStrategies {
    private static final PlacementStrategy BALANCED = new BalancedStrategy();
    private static final PlacementStrategy FAST = new FastStrategy();
    private static final List<PlacementStrategy> ALL = List.of(BALANCED, FAST);

    private PlacementStrategies() {}

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
     * Finds a strategy.
     *
     * @param name its name, as {@link PlacementStrategy#name} gives it
     * @return the strategy
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
