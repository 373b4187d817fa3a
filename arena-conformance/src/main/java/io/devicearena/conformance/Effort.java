package io.devicearena.conformance;

/**
 * How long the tests search that may miss a fault. {@code -Ddevicearena.effort=N} gives it in percent: 1000 hunts a rare
 * race ten times as long, 10 is for a quick look.
 */
final class Effort {
    /** The property's name. */
    static final String PROPERTY = "devicearena.effort";

    private Effort() {}

    /** That many rounds, more or fewer as the property says, and at least two: both orders. */
    static int of(int rounds) {
        return Math.toIntExact(Math.max(2, rounds * Long.getLong(PROPERTY, 100L) / 100));
    }
}
