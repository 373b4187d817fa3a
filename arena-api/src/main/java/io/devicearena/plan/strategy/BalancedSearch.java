package io.devicearena.plan.strategy;

import io.devicearena.plan.lowering.Lowering;
import io.devicearena.plan.lowering.Outcome;
import io.devicearena.plan.lowering.Work;
import java.util.List;
import java.util.Optional;

/** The search of {@link Balanced}: many placements, the best of them lowered. Threads: one thread at a time. */
final class BalancedSearch {
    /** Up to so many lives every recipe is done to its end. */
    private static final int FEW_LIVES = 2_000;

    /** What valleys may take for each life where there is nothing to gain, and what more where there is. */
    private static final long VALLEY_STEPS_PER_LIFE = 150;

    private static final long FURTHER_VALLEY_STEPS_PER_LIFE = 400;
    private static final long MOST_FURTHER_VALLEY_STEPS = 25_000_000;
    private static final long FILLING_STEPS_PER_LIFE = 1_000;
    private static final long MOST_FILLING_STEPS = 50_000_000;
    /** What is allowed where there is hardly anything to gain. */
    private static final long FEWEST_FILLING_STEPS = 10_000_000;
    /** What the recipes of all other strategies may take together, so that hardly one of them is better. */
    private static final long FEWEST_OTHER_STEPS = 60_000_000;
    /** Best fit looks at a part of all pairs. */
    private static final double OTHER_STEPS_PER_PAIR = 0.6;
    /** Steps times lives: a step takes longer the more lives there are, and a plan of many shall not. */
    private static final double MOST_OTHER_WORK = 3.6e12;

    /** Below this part of the bound, as its divisor, a gap earns a part of those steps only. */
    private static final long SLIGHT_GAP = 10_000;

    private static final double SLIGHT_PART = 0.25;
    /** Each takes at most this part, as its divisor, of what is left. */
    private static final long PARTS = 2;

    private static final long EVICTION_STEPS = 60_000_000;
    private static final long EVICTION_STEPS_PER_LIFE = 16_000;
    private static final long MOST_FURTHER_EVICTION_STEPS = 360_000_000;
    /** Where fewer are live at a time an eviction takes fewer steps. */
    private static final double MANY_LIVE = 160;
    /** Steps times lives squared: a step takes longer the more lives there are, and a plan of many shall not. */
    private static final double MOST_EVICTION_WORK = 1.4e18;

    /** How many descents are worth their time; for many lives the last ones take what work is left. */
    private static final int DESCENTS_OF_FEW = 2;

    private static final int DESCENTS_OF_MANY = 4;

    /** The part of the bound, as its divisor, from which on a gap earns all steps. */
    private static final long FULL_GAP = 200;

    /** What evictions may take for each life before anything else is tried: where lives are short that is mostly enough. */
    private static final long EARLY_EVICTION_STEPS_PER_LIFE = 500;

    private static final long MOST_EARLY_EVICTION_STEPS = 15_000_000;

    /** After the first, in the order in which they gain most where those before are taken. */
    private static final List<Preference> FURTHER_PREFERENCES = List.of(
            new Preference(Preference.Size.WHOLE, 0.02, true),
            new Preference(Preference.Size.NONE, 0.01, true),
            new Preference(Preference.Size.NONE, 0.1, true),
            new Preference(Preference.Size.FOURTH_ROOT, 0.02, true),
            new Preference(Preference.Size.ALONE, 0.02, false),
            new Preference(Preference.Size.ROOT, 0.02, false),
            new Preference(Preference.Size.NONE, 0.002, true));

    /** Where equal sizes leave holes that others fit, this finds them; no strategy of its own. */
    private static final Recipe FILLING = new Recipe(Order.FULLEST_LARGEST, Fit.FIRST);

    /** Those of all other strategies, first those that are done soonest: each is given up as soon as it cannot win. */
    private static final List<Recipe> RECIPES = List.of(
            new Recipe(Order.FULLEST_LARGEST, Fit.BEST),
            new Recipe(Order.EARLIEST, Fit.BEST),
            new Recipe(Order.THROUGHOUT_LARGEST_EARLIEST, Fit.BEST),
            Recipe.LARGEST_FIRST,
            new Recipe(Order.LARGEST_LONGEST, Fit.BEST),
            new Recipe(Order.LONGEST_LARGEST, Fit.BEST),
            new Recipe(Order.LARGEST, Fit.BEST),
            new Recipe(Order.LONGEST_LARGEST, Fit.FIRST),
            new Recipe(Order.LARGEST_AREA, Fit.FIRST));

    private final Lives lives;
    private long[] best = {};
    private long fewestBytes = Long.MAX_VALUE;
    /** The best of those in which size counts nothing: with what lives long at the bottom, it is the easiest to lower. */
    private long[] easiest = {};

    private long easiestBytes = Long.MAX_VALUE;

    /** Prepares for lives, at least one. */
    BalancedSearch(Lives lives) {
        this.lives = lives;
    }

    /** Searches; returns the addresses of the best placement. */
    long[] run() {
        if (lives.count() <= FEW_LIVES) {
            attempt(Recipe.LONGEST_ON_TOP, Work.unlimited());
        }
        fillValleys();
        if (best.length == 0) {
            attempt(Recipe.LONGEST_ON_TOP, Work.unlimited());
        }
        if (lives.count() <= FEW_LIVES) {
            RECIPES.forEach(recipe -> attempt(recipe, Work.unlimited()));
        } else {
            long most = Math.min(MOST_FILLING_STEPS, FILLING_STEPS_PER_LIFE * lives.count());
            attempt(FILLING, new Work(Math.min(most, Math.max(FEWEST_FILLING_STEPS, partOfGap(most)))));
            attemptBounded();
        }
        lower();
        return best;
    }

    private void attemptBounded() {
        double count = lives.count();
        double most = Math.max(FEWEST_OTHER_STEPS, OTHER_STEPS_PER_PAIR * count * count);
        double part = gap(fewestBytes) < lives.bound() / SLIGHT_GAP ? SLIGHT_PART : 1;
        Work work = new Work((long) (Math.min(MOST_OTHER_WORK / count, most) * part));
        for (Recipe recipe : RECIPES) {
            Work share = work.share(work.left() / PARTS);
            attempt(recipe, share);
            work.settle(share);
        }
    }

    private void fillValleys() {
        Work work = new Work(VALLEY_STEPS_PER_LIFE * lives.count());
        long further = Math.min(MOST_FURTHER_VALLEY_STEPS, FURTHER_VALLEY_STEPS_PER_LIFE * lives.count());
        attempt(SkylineBestFit.PREFERENCE, work, further);
        if (lives.count() > FEW_LIVES && !isDone() && best.length > 0) {
            lower(best, new Work(Math.min(MOST_EARLY_EVICTION_STEPS, EARLY_EVICTION_STEPS_PER_LIFE * lives.count())));
        }
        FURTHER_PREFERENCES.forEach(preference -> attempt(preference, work, further));
    }

    private void attempt(Preference preference, Work work, long further) {
        long allowed = work.left() + (best.length == 0 ? further : partOfGap(further));
        if (preference.equals(SkylineBestFit.PREFERENCE)) {
            allowed = Math.max(allowed, SkylineBestFit.mostSteps(lives));
        }
        if (isDone() || allowed <= 0) {
            return;
        }
        Work share = new Work(allowed);
        long before = share.left();
        Optional<long[]> placed = preference.place(lives, share);
        work.spend(before - share.left());
        if (placed.isEmpty()) {
            return;
        }
        long[] addresses = placed.get();
        long bytes = lives.bytes(addresses);
        if (preference.size() == Preference.Size.NONE && bytes < easiestBytes) {
            easiest = addresses;
            easiestBytes = bytes;
        }
        take(addresses, bytes);
    }

    private void attempt(Recipe recipe, Work work) {
        if (!isDone() && !work.isSpent()) {
            long limit = best.length == 0 ? Long.MAX_VALUE : lives.highestEnd(fewestBytes - 1);
            recipe.place(lives, limit, work).ifPresent(addresses -> take(addresses, lives.bytes(addresses)));
        }
    }

    /** Takes a placement if it is better than all before. */
    private void take(long[] addresses, long bytes) {
        if (best.length == 0 || bytes < fewestBytes) {
            best = addresses;
            fewestBytes = bytes;
        }
    }

    private void lower() {
        double count = lives.count();
        double further = Math.min(EVICTION_STEPS_PER_LIFE * count, MOST_EVICTION_WORK / (count * count));
        double most = EVICTION_STEPS + Math.min(MOST_FURTHER_EVICTION_STEPS, further);
        if (lives.count() > FEW_LIVES) {
            double live = (double) lives.totalLength() / lives.moments();
            most *= Math.min(1, live / MANY_LIVE);
        }
        Work work = new Work(partOfGap((long) most));
        if (!isDone() && !work.isSpent()) {
            boolean isNear = easiest.length > 0 && gap(easiestBytes) / 2 <= gap(fewestBytes);
            lower(isNear ? easiest : best, work);
        }
    }

    private void lower(long[] addresses, Work work) {
        int descents = lives.count() <= FEW_LIVES ? DESCENTS_OF_FEW : DESCENTS_OF_MANY;
        Lowering lowering = new Lowering(lives, addresses, lives.leastBytes(), descents, 0, work);
        Outcome outcome = Outcome.PAUSED;
        while (outcome != Outcome.EXHAUSTED && !work.isSpent()) {
            outcome = lowering.advance(work.left());
        }
        take(lowering.addresses(), lowering.bytes());
    }

    /** The part of some steps that the gap between the best placement and the bound earns. */
    private long partOfGap(long steps) {
        return steps / 100 * Math.min(100, gap(fewestBytes) / (lives.bound() / 100 / FULL_GAP + 1));
    }

    /** How far above the bound a placement of so many bytes ends, the bound itself at most. */
    private long gap(long bytes) {
        return Math.min(lives.bound(), lives.highestEnd(bytes) - lives.bound());
    }

    private boolean isDone() {
        return best.length > 0 && lives.isLeast(fewestBytes);
    }
}
