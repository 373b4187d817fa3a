package io.devicearena.plan.internal.ejection;

/**
 * Lowers a placement step by step: when all lives have places below a target, the next one is nearer to the floor, by a part of
 * the gap that grows with each success; when a target takes too much work, the placement stays as it was, and a target in the
 * upper half of the gap is next.
 *
 * <p>Threads: one thread at a time.
 */
final class Descent {
    private static final double FIRST_STEP = 0.7;
    private static final double GROWTH = 0.9;
    /** Targets in a smaller part of the gap than this are not worth the work. */
    private static final double LAST_STEP = 0.97;

    private final Lifetimes lives;
    private final long floor;
    private final Evictions evictions;
    private long[] addresses;
    private long top;
    private double part = FIRST_STEP;
    private boolean isUnderWay;
    private long target;

    /**
     * Prepares.
     *
     * @param lives the lives
     * @param addresses a placement of them; never changed
     * @param floor how low it may get, in bytes above the origin
     * @param evictions what brings lives below targets
     */
    Descent(Lifetimes lives, long[] addresses, long floor, Evictions evictions) {
        this.lives = lives;
        this.floor = floor;
        this.evictions = evictions;
        this.addresses = addresses;
        this.top = lives.bytes(addresses);
    }

    /**
     * Goes on until the placement is lower.
     *
     * @param steps about how many steps it may take
     * @param stepsPerTier about how many each tier of the next target may take, before that one is given up
     */
    Outcome advance(long steps, long stepsPerTier) {
        if (!isUnderWay) {
            if (top <= floor || part >= LAST_STEP) {
                return Outcome.EXHAUSTED;
            }
            target = floor + (long) ((top - floor) * part);
            evictions.begin(addresses, target, stepsPerTier);
            isUnderWay = true;
        }
        Evictions.Outcome outcome = evictions.advance(steps);
        if (outcome == Evictions.Outcome.PAUSED) {
            return Outcome.PAUSED;
        }
        isUnderWay = false;
        if (outcome == Evictions.Outcome.HOPELESS) {
            part = (1 + part) / 2;
            return Outcome.PAUSED;
        }
        addresses = evictions.addresses().clone();
        top = lives.bytes(addresses);
        part *= GROWTH;
        return Outcome.LOWERED;
    }

    /** Goes on from another placement, which is lower and never changed; a target that is still below it is not given up. */
    void turnTo(long[] other) {
        addresses = other;
        top = lives.bytes(other);
        isUnderWay = isUnderWay && target < top;
    }

    /** The bytes above the origin that the placement needs now. */
    long bytes() {
        return top;
    }

    /** The placement as it is now; not a copy, and never changed. */
    long[] addresses() {
        return addresses;
    }
}
