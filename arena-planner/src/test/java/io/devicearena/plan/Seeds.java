package io.devicearena.plan;

import java.util.stream.LongStream;

/**
 * The seeds of properties; {@code -Ddevicearena.seed=N} replays one, {@code -Ddevicearena.seeds=N} tries the first N.
 * It stands in a package with tests, which the build opens to JUnit.
 */
public final class Seeds {
    /** The seeds of a build; a long run asks for more. */
    private static final long USUAL = 2;

    private Seeds() {}

    /** Those of a property, or the one that was asked for. */
    public static LongStream all() {
        Long one = Long.getLong("devicearena.seed");
        return one == null ? LongStream.range(0, Long.getLong("devicearena.seeds", USUAL)) : LongStream.of(one);
    }
}
