package io.devicearena.plan.strategy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The search of {@link Balanced}: many recipes, the best of them improved. Threads: one thread at a time. */
final class BestOfRecipes {
    /** Up to so many lives every recipe is done to its end. */
    private static final int FEW_LIVES = 2_000;

    /** How many of the best a descent begins with. */
    private static final int BEST_STARTS = 2;

    /** How many begin with the order of time, each with choices of its own: on dense packings they lead furthest down. */
    private static final int EARLIEST_STARTS = 3;

    private static final long DESCENT_STEPS_PER_LIFE = 50_000;
    private static final long MOST_DESCENT_STEPS = 8_000_000;
    private static final long COOLING_STEPS_PER_LIFE = 1_000;
    private static final long MOST_COOLING_STEPS = 100_000_000;
    /** What largest first may take for each life where there is nothing to gain, and what more where there is. */
    private static final long FIRST_STEPS_PER_LIFE = 300;

    private static final long FURTHER_STEPS_PER_LIFE = 1_200;
    /** Other orders serve where many lives meet; else the spots that are too high are few, and cooled by then. */
    private static final long STEPS_PER_MEETING = 100;

    private static final long MOST_STEPS_PER_LIFE = 20_000;
    private static final long MOST_RECIPE_STEPS = 300_000_000;
    /** Steps times lives: a step takes longer the more lives there are, and a plan of many shall not. */
    private static final long MOST_RECIPE_WORK = 7_000_000_000_000L;

    private static final int SQUEAKY_ROUNDS = 8;
    /** The part of the bound, as its divisor, from which on a gap earns all steps. */
    private static final long FULL_GAP = 200;

    private static final Recipe LONGEST_ON_TOP = new Recipe(Order.LONGEST_LARGEST, Fit.TOP);
    private static final Recipe EARLIEST = new Recipe(Order.EARLIEST, Fit.BEST);

    /** In the order in which they serve, by what they gain on the traces that we know and what they cost. */
    private static final List<Recipe> FIRST_FITS = List.of(
            new Recipe(Order.FULLEST_LARGEST, Fit.FIRST),
            new Recipe(Order.LARGEST_LONGEST, Fit.FIRST),
            new Recipe(Order.FULLEST_LONGEST, Fit.FIRST),
            new Recipe(Order.SIZE_CLASS_LONGEST, Fit.FIRST),
            new Recipe(Order.THROUGHOUT_LARGEST_EARLIEST, Fit.FIRST),
            new Recipe(Order.LENGTH_CLASS_LARGEST, Fit.FIRST),
            new Recipe(Order.FULL_SIXTEENTHS_LONGEST, Fit.FIRST),
            new Recipe(Order.LONGEST_LARGEST, Fit.FIRST),
            new Recipe(Order.LARGEST_AREA, Fit.FIRST));

    private static final List<Recipe> BEST_FITS = List.of(
            EARLIEST,
            new Recipe(Order.LENGTH_CLASS_LARGEST, Fit.BEST),
            new Recipe(Order.LARGEST, Fit.BEST),
            new Recipe(Order.LARGEST_LONGEST, Fit.BEST),
            new Recipe(Order.LONGEST_LARGEST, Fit.BEST),
            new Recipe(Order.THROUGHOUT_LARGEST_EARLIEST, Fit.BEST),
            new Recipe(Order.FULLEST_LARGEST, Fit.BEST));

    private final Lives lives;
    /** The best first. */
    private final List<Found> found = new ArrayList<>();

    /** A placement, and the recipe that it came from. */
    private static final class Found {
        private final Recipe recipe;
        private final long[] addresses;
        private final long bytes;

        Found(Recipe recipe, long[] addresses, long bytes) {
            this.recipe = recipe;
            this.addresses = addresses;
            this.bytes = bytes;
        }
    }

    /** Prepares for lives, at least one. */
    BestOfRecipes(Lives lives) {
        this.lives = lives;
    }

    /** Searches; returns the addresses of the best placement. */
    long[] run() {
        attempt(LONGEST_ON_TOP, Work.unlimited());
        Work first = allowance(lives.count() * (FIRST_STEPS_PER_LIFE + partOfGap(FURTHER_STEPS_PER_LIFE)));
        long begun = first.left();
        attempt(Recipe.LARGEST_FIRST, first);
        long typical = begun - first.left();
        cool();
        long cooled = found.getFirst().bytes;
        Work work = allowance(recipeSteps());
        attemptAll(FIRST_FITS, work, typical);
        if (lives.count() > FEW_LIVES) {
            oil(work, typical);
        }
        attemptAll(BEST_FITS, work, typical);
        if (found.getFirst().bytes < cooled) {
            cool();
        }
        if (lives.count() <= FEW_LIVES) {
            starts().forEach(this::descend);
        }
        return found.getFirst().addresses;
    }

    private void attemptAll(List<Recipe> recipes, Work work, long typical) {
        for (Recipe recipe : recipes) {
            if (work.left() >= typical) {
                attempt(recipe, work);
            }
        }
    }

    /** Places lives anew with those first that end above the bound, over and over. */
    private void oil(Work work, long typical) {
        Found start = found.stream()
                .filter(placement -> placement.recipe.fit() == Fit.FIRST)
                .findFirst()
                .orElse(found.getFirst());
        int[] order = start.recipe.order().of(lives);
        long[] addresses = start.addresses;
        for (int round = 0; round < SQUEAKY_ROUNDS && !isDone() && work.left() >= typical; round++) {
            long[] keys = new long[addresses.length];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = addresses[i] + lives.size(i) > lives.bound() ? 0 : 1;
            }
            RadixSort.sort(order, keys);
            Optional<long[]> placed = Fit.FIRST.place(lives, order, Long.MAX_VALUE, work);
            if (placed.isEmpty()) {
                return;
            }
            addresses = placed.get();
            add(start.recipe, addresses);
        }
    }

    private List<Found> starts() {
        List<Found> starts = new ArrayList<>(found.subList(0, Math.min(BEST_STARTS, found.size())));
        found.stream()
                .filter(placement -> placement.recipe.equals(EARLIEST))
                .findFirst()
                .ifPresent(earliest -> starts.addAll(Collections.nCopies(EARLIEST_STARTS, earliest)));
        return starts;
    }

    private Work allowance(long steps) {
        return lives.count() <= FEW_LIVES ? Work.unlimited() : new Work(steps);
    }

    private long recipeSteps() {
        long meetings = lives.totalLength() / lives.moments();
        long perLife = Math.min(MOST_STEPS_PER_LIFE, STEPS_PER_MEETING * meetings);
        long most = Math.min(MOST_RECIPE_STEPS, MOST_RECIPE_WORK / lives.count());
        return partOfGap(Math.min(most, perLife * lives.count()));
    }

    /** The part of some steps that the gap between the best placement and the bound earns. */
    private long partOfGap(long steps) {
        long bound = lives.bound();
        long gap = Math.min(bound, top(found.getFirst().addresses) - bound);
        return steps / 100 * Math.min(100, gap / (bound / 100 / FULL_GAP + 1));
    }

    private long top(long[] addresses) {
        long top = 0;
        for (int i = 0; i < addresses.length; i++) {
            top = Math.max(top, addresses[i] + lives.size(i));
        }
        return top;
    }

    private boolean isDone() {
        return !found.isEmpty() && lives.isLeast(found.getFirst().bytes);
    }

    private void attempt(Recipe recipe, Work work) {
        if (!isDone() && !work.isSpent()) {
            recipe.place(lives, limit(), work).ifPresent(addresses -> add(recipe, addresses));
        }
    }

    /** Where many lives end at most in a placement that is better than the best; few are all placed, to begin with. */
    private long limit() {
        return found.isEmpty() || lives.count() <= FEW_LIVES
                ? Long.MAX_VALUE
                : lives.highestEnd(found.getFirst().bytes - 1);
    }

    private void add(Recipe recipe, long[] addresses) {
        found.add(new Found(recipe, addresses, lives.bytes(addresses)));
        found.sort(Comparator.comparingLong(placement -> placement.bytes));
    }

    private void cool() {
        if (!isDone()) {
            long[] addresses = found.getFirst().addresses.clone();
            HotSpots.cool(
                    lives, addresses, new Work(Math.min(MOST_COOLING_STEPS, COOLING_STEPS_PER_LIFE * lives.count())));
            add(found.getFirst().recipe, addresses);
        }
    }

    private void descend(Found start) {
        if (!isDone()) {
            boolean ordered = start.recipe.fit() == Fit.FIRST;
            int[] ids = ordered
                    ? start.recipe.order().of(lives)
                    : IntStream.range(0, lives.count()).toArray();
            Work work = new Work(Math.min(MOST_DESCENT_STEPS, DESCENT_STEPS_PER_LIFE * lives.count()));
            Descent descent = new Descent(lives, ids, 0, start.addresses, lives.bound(), found.size(), work);
            if (ordered) {
                descent.placeAll();
            } else {
                descent.settle();
            }
            descent.run();
            long[] addresses = start.addresses.clone();
            descent.store(addresses);
            add(start.recipe, addresses);
        }
    }
}
