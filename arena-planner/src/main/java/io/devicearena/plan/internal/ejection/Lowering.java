package io.devicearena.plan.internal.ejection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lowers a placement by one descent after the other: where one is exhausted, the next one parts the lives in another way, and
 * tries each target harder.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Lowering {
    /** How lives are parted, in turn. */
    private static final List<Tiers> TIERS = List.of(new Tiers(4, 8), new Tiers(7, 3), new Tiers(8, 4));

    /** What a tier of a target may take, and the patience, in the first descent; twice as much in each further one. */
    private static final long STEPS_PER_LIFE = 2_000;

    private static final long FEWEST_STEPS = 8_000_000;

    /** So that work is left for later targets. */
    private static final int SHARES = 8;

    private static final int PATIENCE = 200;
    private static final int MOST_DOUBLINGS = 20;

    private final Lifetimes lives;
    private final long floor;
    private final int mostDescents;
    private final int variant;
    private final Work work;
    private long[] addresses;
    private long bytes;
    private int descents;
    private @Nullable Descent descent;

    /**
     * Prepares.
     *
     * @param lives the lives
     * @param addresses a placement of them; never changed
     * @param floor how low it may get, in bytes above the origin
     * @param mostDescents how many descents it may make, 1 or more
     * @param variant 0 or more: no two go the same way
     * @param work what is spent
     */
    public Lowering(Lifetimes lives, long[] addresses, long floor, int mostDescents, int variant, Work work) {
        this.lives = lives;
        this.addresses = addresses;
        this.bytes = lives.bytes(addresses);
        this.floor = floor;
        this.mostDescents = mostDescents;
        this.variant = variant;
        this.work = work;
    }

    /** Goes on until the placement is lower, for about so many steps at most. */
    public Outcome advance(long steps) {
        if (bytes <= floor || descents == mostDescents) {
            return Outcome.EXHAUSTED;
        }
        int doublings = Math.min(descents, MOST_DOUBLINGS);
        Descent present = descent;
        if (present == null) {
            Tiers tiers = TIERS.get((descents + variant) % TIERS.size());
            long seed = (long) descents << Integer.SIZE | variant;
            present = new Descent(
                    lives, addresses, floor, new Evictions(lives, tiers, SHARES, PATIENCE << doublings, seed, work));
            descent = present;
        }
        Outcome outcome = present.advance(steps, Math.max(FEWEST_STEPS, STEPS_PER_LIFE * lives.count()) << doublings);
        if (outcome == Outcome.LOWERED) {
            addresses = present.addresses();
            bytes = present.bytes();
        } else if (outcome == Outcome.EXHAUSTED) {
            descents++;
            descent = null;
        }
        return outcome == Outcome.LOWERED ? outcome : Outcome.PAUSED;
    }

    /** Goes on from another placement, which is lower and never changed. */
    public void turnTo(long[] other) {
        addresses = other;
        bytes = lives.bytes(other);
        if (descent != null) {
            descent.turnTo(other);
        }
    }

    /** The bytes above the origin that the placement needs now. */
    public long bytes() {
        return bytes;
    }

    /** The placement as it is now; not a copy, and never changed. */
    public long[] addresses() {
        return addresses;
    }
}
