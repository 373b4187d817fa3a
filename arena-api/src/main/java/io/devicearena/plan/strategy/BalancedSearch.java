package io.devicearena.plan.strategy;

import io.devicearena.plan.lowering.Lowering;
import io.devicearena.plan.lowering.Outcome;
import io.devicearena.plan.lowering.Work;
import java.util.List;
import java.util.Optional;

/** The search of {@link Balanced}: many placements, the best of them lowered. Threads: one thread at a time. */
final class BalancedSearch {
    /** Up to so many lives every recipe is done to its end, or until it cannot win. */
    private static final int FEW_LIVES = 2_000;

    /** Up to so many as well, where there is more than a little to gain. */
    private static final int MODERATE_LIVES = 10_000;

    /** Each recipe takes at most this part, as its divisor, of what is left to all. */
    private static final long PARTS = 2;

    /** How many descents are worth their time; for many lives the last ones take what work is left. */
    private static final int DESCENTS_OF_FEW = 2;

    private static final int DESCENTS_OF_MANY = 4;

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
    private final Allowances allowances;
    private long[] best = {};
    private long fewestBytes = Long.MAX_VALUE;
    /** The best of those in which size counts nothing: with what lives long at the bottom, it is the easiest to lower. */
    private long[] easiest = {};

    private long easiestBytes = Long.MAX_VALUE;

    /** Prepares for lives, at least one. */
    BalancedSearch(Lives lives) {
        this.lives = lives;
        this.allowances = new Allowances(lives);
    }

    /** Searches; returns the addresses of the best placement. */
    long[] run() {
        if (lives.count() <= MODERATE_LIVES) {
            attempt(Recipe.LONGEST_ON_TOP, Work.unlimited());
        }
        fillValleys();
        if (best.length == 0) {
            attempt(Recipe.LONGEST_ON_TOP, Work.unlimited());
        }
        if (lives.count() > FEW_LIVES) {
            attempt(FILLING, allowances.filling(gap()));
        }
        boolean isLittle = lives.count() > FEW_LIVES && allowances.isSlight(gap());
        if (lives.count() <= MODERATE_LIVES && !isLittle) {
            RECIPES.forEach(recipe -> attempt(recipe, Work.unlimited()));
        } else {
            attemptBounded();
        }
        lower();
        return best;
    }

    private void attemptBounded() {
        Work work = allowances.others(gap());
        for (Recipe recipe : RECIPES) {
            Work share = work.share(work.left() / PARTS);
            attempt(recipe, share);
            work.settle(share);
        }
    }

    private void fillValleys() {
        Work work = allowances.valleys();
        attempt(SkylineBestFit.PREFERENCE, work, SkylineBestFit.mostSteps(lives));
        if (lives.count() > FEW_LIVES && !isDone() && best.length > 0) {
            lower(best, allowances.earlyEvictions());
        }
        FURTHER_PREFERENCES.forEach(preference -> attempt(preference, work, 0));
    }

    /** Fills valleys; it may take so many steps in any case. */
    private void attempt(Preference preference, Work work, long granted) {
        long allowed = Math.max(granted, work.left() + allowances.furtherValley(gap()));
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
        Work work = allowances.evictions(gap());
        if (!isDone() && !work.isSpent()) {
            boolean isNear = easiest.length > 0 && gap(easiestBytes) / 2 <= gap();
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

    private long gap() {
        return gap(fewestBytes);
    }

    /** How far above the bound a placement of so many bytes ends, the bound itself at most. */
    private long gap(long bytes) {
        return Math.min(lives.bound(), lives.highestEnd(bytes) - lives.bound());
    }

    private boolean isDone() {
        return best.length > 0 && lives.isLeast(fewestBytes);
    }
}
