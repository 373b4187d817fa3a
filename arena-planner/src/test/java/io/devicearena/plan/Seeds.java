package io.devicearena.plan;

import java.util.stream.LongStream;

/**
 * The seeds of properties; {@code -Ddevicearena.seed=N} replays one. It stands in a package with tests, which the build
 * opens to JUnit.
 */
public final class Seeds {
    private Seeds() {}

    /** Those of a property, or the one that was asked for. */
    public static LongStream all() {
        Long one = Long.getLong("devicearena.seed");
        return one == null ? LongStream.range(0, 60) : LongStream.of(one);
    }
}
