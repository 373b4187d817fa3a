package io.devicearena.plan.placement;

import java.util.Optional;

/**
 * Lowers the height of few lives by searches in depth: halfway to the bound, then further where that goes and less far where it does
 * not.
 *
 * <p>Threads: one thread at a time.
 */
final class DeepDescent {
    private static final int MOST_SUCCESSES = 5;
    private static final int MOST_FAILURES = 2;
    private static final double FIRST_PART = 0.5;

    private DeepDescent() {}

    /**
     * Looks for lower placements.
     *
     * @param lives the lives
     * @param bytes what the best placement needs, in bytes above the origin
     * @return the addresses of the lowest one; nothing where none is lower
     */
    static Optional<long[]> below(Lives lives, long bytes) {
        InDepth search = new InDepth(lives);
        Optional<long[]> best = Optional.empty();
        long top = bytes;
        double part = FIRST_PART;
        int successes = 0;
        int failures = search.isQuick() ? 0 : MOST_FAILURES;
        while (successes < MOST_SUCCESSES && failures < MOST_FAILURES && !lives.isLeast(top)) {
            long target = lives.leastBytes() + (long) ((top - lives.leastBytes()) * part);
            Optional<long[]> found = search.place(target);
            if (found.isPresent()) {
                best = found;
                top = lives.bytes(found.get());
                successes++;
            } else {
                part = (1 + part) / 2;
                failures++;
            }
        }
        return best;
    }
}
