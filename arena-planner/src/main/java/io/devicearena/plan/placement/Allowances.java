package io.devicearena.plan.placement;

/**
 * How much work each part of the default strategy may take: the more, the more lives there are and the more there is to gain, but
 * so that a plan of a million takes seconds.
 *
 * <p>A gap is how far the best placement ends above the bound, in units, at most the bound itself. Threads: immutable.
 */
final class Allowances {
    private static final long VALLEY_STEPS_PER_LIFE = 150;
    private static final long FURTHER_VALLEY_STEPS_PER_LIFE = 400;
    private static final long MOST_FURTHER_VALLEY_STEPS = 25_000_000;

    private static final long FILLING_STEPS_PER_LIFE = 1_000;
    private static final long MOST_FILLING_STEPS = 50_000_000;
    private static final long FEWEST_FILLING_STEPS = 10_000_000;

    /** Up to so many lives the recipe of another strategy is done to its end unless it cannot win. */
    private static final int RATHER_MANY_LIVES = 20_000;

    /** Best fit looks at a part of all pairs. */
    private static final double OTHER_STEPS_PER_PAIR = 0.03;

    /** Enough for one op after the other, whose lives meet few others. */
    private static final double OTHER_STEPS_PER_LIFE = 2_000;
    /** Steps times lives: a step takes longer the more lives there are. */
    private static final double MOST_OTHER_WORK = 5e12;
    /** With fewer for each life hardly one of them would be done to its end. */
    private static final double FEWEST_OTHER_STEPS_PER_LIFE = 150;

    private static final long EARLY_PEAKS_STEPS_PER_LIFE = 500;
    private static final long PEAKS_STEPS_PER_LIFE = 2_500;
    private static final long MOST_PEAKS_STEPS = 200_000_000;

    private static final long EARLY_EVICTION_STEPS_PER_LIFE = 500;
    private static final long MOST_EARLY_EVICTION_STEPS = 15_000_000;
    /** With fewer for each life hardly more than preparations would be made. */
    private static final long FEWEST_EARLY_EVICTION_STEPS_PER_LIFE = 100;

    private static final long EVICTION_STEPS = 28_000_000;
    private static final long EVICTION_STEPS_PER_LIFE = 10_000;
    private static final long MOST_FURTHER_EVICTION_STEPS = 320_000_000;
    /** Steps times lives squared, down to some steps without which nothing would be lowered. */
    private static final double MOST_EVICTION_WORK = 1e18;

    private static final double FEWEST_STEPS_OF_MANY = 140_000_000;

    /** Where fewer are live at a time, and less than this part of all, as its divisor, an eviction takes fewer steps. */
    private static final double MANY_LIVE = 160;

    private static final double MANY_LIVE_PARTS = 16;

    /** The part that is left where chains were tried, which evictions seldom lower. */
    private static final double CHAINED = 0.75;

    /** The part of the bound, as its divisor, from which on a gap earns all steps. */
    private static final long FULL_GAP = 200;

    /** How many times as much as before what is lowered further may take. */
    private static final long FURTHER_EVICTIONS = 2;

    /** Above this part of the bound, as its divisor, a placement is worth more time. */
    private static final long FAR_GAP = 40;

    private final Lives lives;

    Allowances(Lives lives) {
        this.lives = lives;
    }

    /** Tells whether there is so much to gain that more time is worth it. */
    boolean isFar(long gap) {
        return gap > lives.bound() / FAR_GAP;
    }

    /** The steps that all valleys may take together where there is nothing to gain. */
    long valleys() {
        return VALLEY_STEPS_PER_LIFE * lives.count();
    }

    /** The steps that further ways to fill valleys may take beyond that. */
    long furtherValley(long gap) {
        return partOfGap(Math.min(MOST_FURTHER_VALLEY_STEPS, FURTHER_VALLEY_STEPS_PER_LIFE * lives.count()), gap);
    }

    /** The steps that filling the holes that equal sizes leave may take. */
    long filling(long gap) {
        long most = Math.min(MOST_FILLING_STEPS, FILLING_STEPS_PER_LIFE * lives.count());
        return Math.min(most, Math.max(FEWEST_FILLING_STEPS, partOfGap(most, gap)));
    }

    /** The steps that the recipe of another strategy may take: so many that hardly one of them is better, or 0. */
    long other(long gap) {
        double count = lives.count();
        if (count <= RATHER_MANY_LIVES) {
            return Long.MAX_VALUE;
        }
        double wanted = Math.max(OTHER_STEPS_PER_LIFE * count, OTHER_STEPS_PER_PAIR * count * count);
        // Where evictions may take less, these may take more.
        double spared = 1 - partOfGap(100, gap) / 100.0;
        double steps = Math.min(wanted, (1 + 2 * spared) * MOST_OTHER_WORK / count);
        return steps < FEWEST_OTHER_STEPS_PER_LIFE * count ? 0 : (long) steps;
    }

    /** The steps that evictions around what is fullest may take early, in each of a few tries. */
    long earlyPeaks() {
        return Math.min(MOST_PEAKS_STEPS, EARLY_PEAKS_STEPS_PER_LIFE * lives.count());
    }

    /** The steps that evictions around what is fullest may take at last, in each of a few tries. */
    long peaks() {
        return Math.min(MOST_PEAKS_STEPS, PEAKS_STEPS_PER_LIFE * lives.count());
    }

    /** The steps that evictions may take early: where lives are short that is mostly enough. */
    long earlyEvictions() {
        long steps = Math.min(MOST_EARLY_EVICTION_STEPS, EARLY_EVICTION_STEPS_PER_LIFE * lives.count());
        return steps < FEWEST_EARLY_EVICTION_STEPS_PER_LIFE * lives.count() ? 0 : steps;
    }

    /** The steps that each of two ways to evict may take at last; where chains had their part, the rest. */
    long evictions(long gap, boolean isChained) {
        double count = lives.count();
        double affordable = Math.max(FEWEST_STEPS_OF_MANY, MOST_EVICTION_WORK / (count * count));
        double further = Math.min(MOST_FURTHER_EVICTION_STEPS, Math.min(EVICTION_STEPS_PER_LIFE * count, affordable));
        double live = (double) lives.totalLength() / lives.moments();
        double many = Math.min(MANY_LIVE, count / MANY_LIVE_PARTS);
        double part = Math.min(1, live / many) * (isChained ? CHAINED : 1);
        return partOfGap((long) ((EVICTION_STEPS + further) * part), gap);
    }

    /** The steps that each of two ways to evict may take where those before leave much to gain. */
    long furtherEvictions(long gap, boolean isChained) {
        return FURTHER_EVICTIONS * evictions(gap, isChained);
    }

    private long partOfGap(long steps, long gap) {
        return steps / 100 * Math.min(100, gap / (lives.bound() / 100 / FULL_GAP + 1));
    }
}
