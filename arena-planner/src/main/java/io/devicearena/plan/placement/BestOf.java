package io.devicearena.plan.placement;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The best of some recipes, each done to its end; the first of equally good ones.
 *
 * <p>Threads: safe for any thread.
 */
final class BestOf implements PlacementStrategy {
    private final String name;
    private final List<Recipe> recipes;

    BestOf(String name, Recipe... recipes) {
        this.name = name;
        this.recipes = List.of(recipes);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long[] place(PlacementProblem problem) {
        return place(problem, () -> false);
    }

    @Override
    public long[] place(PlacementProblem problem, BooleanSupplier unwanted) {
        return Lives.place(problem, lives -> best(lives, unwanted));
    }

    private long[] best(Lives lives, BooleanSupplier unwanted) {
        long[] best = {};
        long fewest = Long.MAX_VALUE;
        for (Recipe recipe : recipes) {
            long[] addresses = recipe.place(lives, unwanted);
            long bytes = lives.bytes(addresses);
            if (best.length == 0 || bytes < fewest) {
                best = addresses;
                fewest = bytes;
            }
        }
        return best;
    }

    @Override
    public String toString() {
        return name;
    }
}
