package io.devicearena.plan.strategy;

import java.util.List;

/** The search of {@link Balanced}: many placements, the best of them lowered. Threads: one thread at a time. */
final class BalancedSearch {
    /** Up to so many lives every recipe is done to its end. */
    private static final int FEW_LIVES = 2_000;

    private static final long VALLEY_STEPS_PER_LIFE = 4_000;
    private static final long MOST_VALLEY_STEPS = 300_000_000;
    private static final long EVICTION_STEPS = 60_000_000;
    private static final long EVICTION_STEPS_PER_LIFE = 10_000;
    private static final long MOST_EVICTION_STEPS = 200_000_000;
    /** The part of the bound, as its divisor, from which on a gap earns all steps. */
    private static final long FULL_GAP = 200;

    private static final Recipe LONGEST_ON_TOP = new Recipe(Order.LONGEST_LARGEST, Fit.TOP);

    private static final List<Preference> FIRST_PREFERENCES = List.of(
            new Preference(Preference.Size.ROOT, 0.02, false),
            new Preference(Preference.Size.NONE, 0.02, false),
            new Preference(Preference.Size.WHOLE, 0.02, false),
            new Preference(Preference.Size.ALONE, 0.02, false),
            new Preference(Preference.Size.FOURTH_ROOT, 0.02, false));

    /** Tried once more with each of these margins, squared and not, is the best of the first. */
    private static final double[] MARGINS = {0.1, 0.01, 0.05, 0.002, 0.3};

    private static final List<Recipe> RECIPES = List.of(
            Recipe.LARGEST_FIRST,
            LONGEST_ON_TOP,
            new Recipe(Order.LARGEST_AREA, Fit.FIRST),
            new Recipe(Order.LONGEST_LARGEST, Fit.FIRST),
            new Recipe(Order.EARLIEST, Fit.BEST),
            new Recipe(Order.LARGEST, Fit.BEST),
            new Recipe(Order.LARGEST_LONGEST, Fit.BEST),
            new Recipe(Order.LONGEST_LARGEST, Fit.BEST),
            new Recipe(Order.THROUGHOUT_LARGEST_EARLIEST, Fit.BEST),
            new Recipe(Order.FULLEST_LARGEST, Fit.BEST));

    private final Lives lives;
    private long[] best = {};
    private long fewestBytes = Long.MAX_VALUE;

    /** Prepares for lives, at least one. */
    BalancedSearch(Lives lives) {
        this.lives = lives;
    }

    /** Searches; returns the addresses of the best placement. */
    long[] run() {
        fillValleys();
        if (best.length == 0) {
            attempt(LONGEST_ON_TOP);
        }
        if (lives.count() <= FEW_LIVES) {
            RECIPES.forEach(this::attempt);
        }
        lower();
        return best;
    }

    private void fillValleys() {
        Work work = new Work(Math.min(MOST_VALLEY_STEPS, VALLEY_STEPS_PER_LIFE * lives.count()));
        Preference leader = FIRST_PREFERENCES.getFirst();
        for (Preference preference : FIRST_PREFERENCES) {
            if (attempt(preference, work) && preference.size() != Preference.Size.ALONE) {
                leader = preference;
            }
        }
        for (double margin : MARGINS) {
            attempt(new Preference(leader.size(), margin, true), work);
            attempt(new Preference(leader.size(), margin, false), work);
        }
    }

    /** Tells whether it was better than all before. */
    private boolean attempt(Preference preference, Work work) {
        return !isDone() && preference.place(lives, work).map(this::isBetter).orElse(false);
    }

    private void attempt(Recipe recipe) {
        if (!isDone()) {
            recipe.place(lives, Long.MAX_VALUE, Work.unlimited()).ifPresent(this::isBetter);
        }
    }

    private boolean isBetter(long[] addresses) {
        long bytes = lives.bytes(addresses);
        boolean isBetter = best.length == 0 || bytes < fewestBytes;
        if (isBetter) {
            best = addresses;
            fewestBytes = bytes;
        }
        return isBetter;
    }

    private void lower() {
        if (!isDone()) {
            long[] addresses = best.clone();
            Evictions.lower(lives, addresses, new Work(evictionSteps()));
            isBetter(addresses);
        }
    }

    private long evictionSteps() {
        long bound = lives.bound();
        long gap = Math.min(bound, lives.highestEnd(fewestBytes) - bound);
        long steps = Math.min(MOST_EVICTION_STEPS, EVICTION_STEPS + EVICTION_STEPS_PER_LIFE * lives.count());
        return steps / 100 * Math.min(100, gap / (bound / 100 / FULL_GAP + 1));
    }

    private boolean isDone() {
        return best.length > 0 && lives.isLeast(fewestBytes);
    }
}
