package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Lowering;
import io.devicearena.plan.internal.ejection.Outcome;
import io.devicearena.plan.internal.ejection.Work;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The search of {@link Balanced}: rounds of placements, the best of them lowered.
 *
 * <p>What a try starts from and what it may take is settled before any other of its round begins, so that they can go on side
 * by side. Threads: one thread at a time, and one that helps it.
 */
final class BalancedSearch {
    static final int FEW_LIVES = 2_000;
    private static final int MODERATE_LIVES = 10_000;

    /** How many descents are worth their time; for many lives the last ones take what work is left. */
    private static final int DESCENTS_OF_FEW = 1;

    private static final int DESCENTS_OF_MODERATELY_MANY = 2;
    private static final int DESCENTS_OF_MANY = 4;

    /** How often what stays far above the bound is lowered once more, twice in a round. */
    private static final int FURTHER_ROUNDS = 2;

    /** About a millisecond of evictions. */
    private static final long STEPS_AT_A_TIME = 250_000;

    /** After the first, in the order in which they gain most where those before are taken. */
    private static final List<Preference> FURTHER_PREFERENCES = List.of(
            new Preference(Preference.Size.WHOLE, 0.02, true),
            new Preference(Preference.Size.NONE, 0.01, true),
            new Preference(Preference.Size.NONE, 0.1, true),
            new Preference(Preference.Size.FOURTH_ROOT, 0.02, true),
            new Preference(Preference.Size.ALONE, 0.02, false),
            new Preference(Preference.Size.ROOT, 0.02, false),
            new Preference(Preference.Size.NONE, 0.002, true));

    /** With no regard to size. */
    private static final List<Preference> EVEN_PREFERENCES = Stream.concat(
                    Stream.of(SkylineBestFit.PREFERENCE), FURTHER_PREFERENCES.stream())
            .filter(preference -> preference.size() == Preference.Size.NONE)
            .toList();

    /** How full chains may make a moment, as parts of the bound: each does best for other graphs. */
    private static final List<Double> VALLEY_CHAINS = List.of(0.98, 1.0, 0.97, 0.99, 0.95, 0.9);

    private static final double FILLING_CHAINS = 0.9;

    /** Where equal sizes leave holes that others fit, this finds them; no strategy of its own. */
    private static final Recipe FILLING = new Recipe(Order.FULLEST_LARGEST, Fit.FIRST);

    /** Those of other strategies that take O(n log n) time: they are never given up for taking long. */
    private static final List<Recipe> QUICK_RECIPES =
            List.of(Recipe.LONGEST_ON_TOP, new Recipe(Order.EARLIEST, Fit.BEST_IN_TIME));

    /** Those of all others: each is given up as soon as it cannot win. */
    private static final List<Recipe> RECIPES = List.of(
            new Recipe(Order.FULLEST_LARGEST, Fit.BEST),
            new Recipe(Order.THROUGHOUT_LARGEST_EARLIEST, Fit.BEST),
            Recipe.LARGEST_FIRST,
            new Recipe(Order.LARGEST_LONGEST, Fit.BEST),
            new Recipe(Order.LONGEST_LARGEST, Fit.BEST),
            new Recipe(Order.LARGEST, Fit.BEST),
            new Recipe(Order.LONGEST_LARGEST, Fit.FIRST),
            new Recipe(Order.LARGEST_AREA, Fit.FIRST));

    /** A way to a placement, or to none. */
    private interface Try extends Function<BooleanSupplier, Optional<Placement>> {}

    private final Lives lives;
    /** Tells whether no answer is wanted any more; a try may be told so of its own answer alone. */
    private final BooleanSupplier stopped;

    private final Allowances allowances;
    private final Leaders leaders;
    /** It remembers what it has placed, so no two tries of a round may use it. */
    private final Peaks peaks;
    /** The steps that the first valleys took. */
    private final long valleySteps;

    /** Tells whether chains were tried, since sizes recur. */
    private boolean isChained;

    /**
     * Makes a first placement.
     *
     * @param lives the lives, at least one
     * @param stopped tells whether the answer is not wanted any more: then the search ends soon
     * @throws CancellationException if that is so before there is a placement
     */
    BalancedSearch(Lives lives, BooleanSupplier stopped) {
        this.lives = lives;
        this.stopped = stopped;
        this.allowances = new Allowances(lives);
        this.peaks = new Peaks(lives);
        long granted = SkylineBestFit.mostSteps(lives);
        Work work = new Work(granted, stopped);
        List<Try> tries = new ArrayList<>();
        if (lives.count() <= MODERATE_LIVES) {
            tries.add(done(Recipe.LONGEST_ON_TOP, Long.MAX_VALUE, Work.unlimited(stopped)));
        }
        tries.add(filled(SkylineBestFit.PREFERENCE, work));
        List<Placement> placed = placed(tries);
        if (placed.isEmpty()) {
            placed = placed(quickRecipes(Long.MAX_VALUE));
        }
        if (placed.isEmpty()) {
            throw new CancellationException("balanced: the answer is not wanted any more");
        }
        this.leaders = new Leaders(lives, placed.getFirst());
        placed.forEach(leaders::take);
        // Where there is nothing to gain the valleys may not be filled, or be under way.
        this.valleySteps = leaders.isLeast() ? 0 : granted - work.left();
    }

    /** Searches; returns the addresses of the best placement. */
    long[] run() {
        round(this::earlyTries);
        if (lives.count() <= FEW_LIVES) {
            round(this::recipes);
            round(this::deepenedOrLowered);
        } else {
            if (round(this::loweredOrRecipes) && leaders.best().source() == Placement.Source.RECIPE) {
                round(this::lowered);
            }
            lowerFurther();
        }
        return leaders.best().addresses();
    }

    /** Lowers what is still far above the bound in ways not yet tried, as long as that gains something. */
    private void lowerFurther() {
        boolean gains = true;
        for (int rounds = 1; rounds <= FURTHER_ROUNDS && gains && allowances.isFar(leaders.gap()); rounds++) {
            int variant = 2 * rounds;
            gains = round(() -> loweredFurther(variant));
        }
    }

    /** Does tries, unless there is nothing to gain; tells whether that gained something. */
    private boolean round(Supplier<List<Try>> tries) {
        if (leaders.isLeast() || stopped.getAsBoolean()) {
            return false;
        }
        long before = leaders.best().bytes();
        placed(tries.get()).forEach(leaders::take);
        return leaders.best().bytes() < before;
    }

    private List<Placement> placed(List<Try> tries) {
        return new Contest<>(
                        tries,
                        made -> made.filter(each -> lives.isLeast(each.bytes())).isPresent())
                .run().stream().flatMap(Optional::stream).toList();
    }

    /** Valleys filled by further preferences, as many as there is work for, and evictions where lives are short. */
    private List<Try> earlyTries() {
        List<Try> tries = new ArrayList<>();
        tries.add(fromPeaks(leaders.best(), allowances.earlyPeaks()));
        long evictions = lives.count() <= FEW_LIVES ? 0 : allowances.earlyEvictions();
        if (evictions > 0) {
            tries.add(lowered(leaders.start(), 0, DESCENTS_OF_MANY, evictions));
        }
        long left = allowances.valleys() + allowances.furtherValley(leaders.gap()) - valleySteps;
        for (Preference preference : FURTHER_PREFERENCES) {
            if (left >= valleySteps) {
                tries.add(filled(preference, new Work(2 * valleySteps, stopped)));
            }
            left -= valleySteps;
        }
        if (lives.count() > FEW_LIVES) {
            tries.addAll(chained());
        }
        return tries;
    }

    /** What is fullest first, and valleys, with chains in place of lives where sizes recur. */
    private List<Try> chained() {
        Optional<Chains> chains = Chains.whereSizesRecur(lives);
        isChained = chains.isPresent();
        return chains.map(this::chained).orElse(List.of());
    }

    private List<Try> chained(Chains chains) {
        long gap = leaders.gap();
        long limit = leaders.highestEndOfBetter();
        List<Try> tries = new ArrayList<>();
        for (double fullest : VALLEY_CHAINS) {
            Work work = new Work(allowances.furtherValley(gap), stopped);
            tries.add(from(
                    Placement.Source.EVEN_VALLEYS, () -> chains.place(fullest, joined -> evenValleys(joined, work))));
        }
        Work filling = new Work(allowances.filling(gap), stopped);
        tries.add(from(
                Placement.Source.RECIPE,
                () -> chains.place(FILLING_CHAINS, joined -> FILLING.place(joined, limit, filling))));
        return tries;
    }

    /** The best of some ways to fill valleys with no regard to size, as many as there is work for. */
    private static Optional<long[]> evenValleys(Lives chains, Work work) {
        return EVEN_PREFERENCES.stream()
                .flatMap(preference -> preference.place(chains, work).stream())
                .min(Comparator.comparingLong(chains::bytes));
    }

    private List<Try> loweredOrRecipes() {
        List<Try> tries = new ArrayList<>(lowered());
        tries.addAll(recipes());
        return tries;
    }

    private List<Try> recipes() {
        long gap = leaders.gap();
        long limit = leaders.highestEndOfBetter();
        List<Try> tries = new ArrayList<>(quickRecipes(limit));
        if (lives.count() > FEW_LIVES) {
            tries.add(done(FILLING, limit, new Work(allowances.filling(gap), stopped)));
        } else {
            tries.addAll(chained());
        }
        long steps = allowances.other(gap);
        if (steps > 0) {
            RECIPES.forEach(recipe -> tries.add(done(recipe, limit, new Work(steps, stopped))));
        }
        return tries;
    }

    private List<Try> quickRecipes(long limit) {
        return QUICK_RECIPES.stream()
                .map(recipe -> done(recipe, limit, Work.unlimited(stopped)))
                .toList();
    }

    private Try filled(Preference preference, Work work) {
        Placement.Source source =
                preference.size() == Preference.Size.NONE ? Placement.Source.EVEN_VALLEYS : Placement.Source.VALLEYS;
        return from(source, () -> preference.place(lives, work));
    }

    private Try done(Recipe recipe, long limit, Work work) {
        return from(Placement.Source.RECIPE, () -> recipe.place(lives, limit, work));
    }

    /** Once more what is fullest first, then two ways to lower what there is: where one is caught, the other one often is not. */
    private List<Try> lowered() {
        long steps = allowances.evictions(leaders.gap(), isChained);
        if (steps <= 0) {
            return List.of();
        }
        if (lives.count() > MODERATE_LIVES) {
            return lowered(DESCENTS_OF_MANY, 2, steps);
        }
        return lowered(lives.count() <= FEW_LIVES ? DESCENTS_OF_FEW : DESCENTS_OF_MODERATELY_MANY, 1, steps);
    }

    private List<Try> lowered(int descents, int variant, long steps) {
        return List.of(
                fromPeaks(leaders.best(), allowances.peaks()),
                lowered(leaders.start(), 0, descents, steps),
                lowered(leaders.best(), variant, descents, steps));
    }

    private List<Try> loweredFurther(int variant) {
        long steps = allowances.furtherEvictions(leaders.gap(), isChained);
        return List.of(
                lowered(leaders.best(), variant, DESCENTS_OF_MANY, steps),
                lowered(leaders.best(), variant + 1, DESCENTS_OF_MANY, steps));
    }

    private Try lowered(Placement start, int variant, int descents, long steps) {
        return unwanted -> {
            Work work = new Work(steps, stopped);
            Lowering lowering = new Lowering(lives, start.addresses(), lives.leastBytes(), descents, variant, work);
            Outcome outcome = Outcome.PAUSED;
            while (outcome != Outcome.EXHAUSTED && !work.isSpent() && !unwanted.getAsBoolean()) {
                outcome = lowering.advance(STEPS_AT_A_TIME);
            }
            return Optional.of(new Placement(lowering.addresses(), lowering.bytes(), Placement.Source.LOWERED));
        };
    }

    private List<Try> deepenedOrLowered() {
        long bytes = leaders.best().bytes();
        List<Try> tries = new ArrayList<>();
        tries.add(from(Placement.Source.LOWERED, () -> DeepDescent.below(lives, bytes)));
        tries.addAll(lowered());
        return tries;
    }

    private Try fromPeaks(Placement start, long steps) {
        return from(Placement.Source.LOWERED, () -> peaks.place(start.addresses(), steps, stopped));
    }

    /** A try that makes a placement of the addresses that a search finds, if it finds any. */
    private Try from(Placement.Source source, Supplier<Optional<long[]>> search) {
        return unwanted -> stopped.getAsBoolean()
                ? Optional.empty()
                : search.get().map(addresses -> new Placement(addresses, lives.bytes(addresses), source));
    }
}
