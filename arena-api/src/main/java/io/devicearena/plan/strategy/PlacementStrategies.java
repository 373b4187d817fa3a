package io.devicearena.plan.strategy;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The strategies that come with this library, by name.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlacementStrategies {
    private static final List<PlacementStrategy> ALL = List.of(new LargestFirst());

    private PlacementStrategies() {}

    /**
     * Lists the strategies, the default first.
     *
     * @return at least one
     */
    public static List<PlacementStrategy> all() {
        return ALL;
    }

    /**
     * Finds a strategy.
     *
     * @param name its name, as {@link PlacementStrategy#name} gives it
     * @return the strategy
     * @throws IllegalArgumentException if none has that name; the message lists those that exist
     */
    public static PlacementStrategy named(String name) {
        return ALL.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("strategy: expected one of "
                        + ALL.stream().map(PlacementStrategy::name).collect(Collectors.joining(", ")) + ", got '"
                        + name + "'"));
    }
}
