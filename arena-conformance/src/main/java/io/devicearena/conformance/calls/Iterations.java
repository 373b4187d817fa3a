package io.devicearena.conformance.calls;

/**
 * How many rounds the stochastic tests run. {@code -Ddevicearena.effort=N} scales them in percent: 1000 runs a race ten
 * times as long, 10 is for a quick check.
 */
public final class Iterations {
    /** The property's name. */
    public static final String PROPERTY = "devicearena.effort";

    private Iterations() {}

    /** A number of rounds scaled by the property, at least two: one for each order. */
    public static int of(int rounds) {
        return Math.toIntExact(Math.max(2, rounds * Long.getLong(PROPERTY, 100L) / 100));
    }

    /** The effort in percent. */
    public static int percent() {
        return Math.toIntExact(Long.getLong(PROPERTY, 100L));
    }
}
