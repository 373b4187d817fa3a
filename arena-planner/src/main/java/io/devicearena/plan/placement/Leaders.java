package io.devicearena.plan.placement;

/**
 * The best placements of all that were tried.
 *
 * <p>Threads: one thread at a time.
 */
final class Leaders {
    private final Lives lives;
    private Placement best;
    /** The best of those that are easiest to lower, or the first of all. */
    private Placement easiest;

    /** Begins with a placement. */
    Leaders(Lives lives, Placement first) {
        this.lives = lives;
        this.best = first;
        this.easiest = first;
    }

    /** Takes a placement where it is better than all before, or than all before that are as easy to lower. */
    void take(Placement other) {
        if (other.bytes() < best.bytes()) {
            best = other;
        }
        boolean isEasy = other.source() == Placement.Source.EVEN_VALLEYS;
        if (isEasy && (easiest.source() != Placement.Source.EVEN_VALLEYS || other.bytes() < easiest.bytes())) {
            easiest = other;
        }
    }

    Placement best() {
        return best;
    }

    /** What to lower: the easiest, unless it is more than twice as far above the bound as the best. */
    Placement start() {
        return gap(easiest.bytes()) / 2 <= gap() ? easiest : best;
    }

    /** How far above the bound the best one ends, in units, the bound itself at most. */
    long gap() {
        return gap(best.bytes());
    }

    private long gap(long bytes) {
        return Math.min(lives.bound(), lives.highestEnd(bytes) - lives.bound());
    }

    /** The highest end that a life can have in a better placement than the best one. */
    long highestEndOfBetter() {
        return lives.highestEnd(best.bytes() - 1);
    }

    boolean isLeast() {
        return lives.isLeast(best.bytes());
    }
}
