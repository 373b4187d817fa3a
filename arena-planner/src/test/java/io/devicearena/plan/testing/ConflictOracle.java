package io.devicearena.plan.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;

/** What a placement of live ranges must hold, by looking at every pair. */
public final class ConflictOracle {
    private ConflictOracle() {}

    /** Whether two buffers are in one clique. */
    public static boolean overlap(LiveRanges ranges, int a, int b) {
        return ranges.first(a) < ranges.end(b) && ranges.first(b) < ranges.end(a);
    }

    /** Checks that no two buffers of one clique share a unit, and that none crosses a boundary. */
    public static void assertValid(LiveRanges ranges, long[] at) {
        for (int i = 0; i < at.length; i++) {
            assertThat(at[i]).isNotNegative();
            assertThat(ranges.skipBoundary(at[i], ranges.size(i))).isEqualTo(at[i]);
            for (int k = 0; k < i; k++) {
                boolean apart = at[i] >= at[k] + ranges.size(k) || at[k] >= at[i] + ranges.size(i);
                assertThat(apart || !overlap(ranges, i, k)).isTrue();
            }
        }
    }

    /** Each buffer above all others. */
    public static long[] stacked(LiveRanges ranges) {
        long[] offsets = new long[ranges.count()];
        long top = 0;
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = ranges.skipBoundary(top, ranges.size(i));
            top = offsets[i] + ranges.size(i);
        }
        return offsets;
    }
}
