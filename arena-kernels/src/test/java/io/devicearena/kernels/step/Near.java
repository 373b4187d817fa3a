package io.devicearena.kernels.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;

/** Compares numbers, of which some tests have millions: AssertJ alone takes a microsecond for each. */
public final class Near {
    private Near() {}

    /**
     * Fails as AssertJ does, unless the difference is at most the tolerance.
     *
     * @param what the format of what the number is
     * @param at what the format has
     */
    public static void assertNear(double actual, double expected, double tolerance, String what, Object... at) {
        // not so for a NaN
        if (!(Math.abs(actual - expected) <= tolerance)) {
            assertThat(actual).as(what, at).isCloseTo(expected, Offset.offset(tolerance));
        }
    }
}
