package io.devicearena.plan.lowering;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.lowering.Descent.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DescentTest {
    private static final Effort EFFORT = new Effort(3, 4, 50, 1);
    private static final long MANY = 1L << 40;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void everyPlacementIsLowerAndValidAndNoneIsBelowTheFloor(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rectangles lives = Rectangles.random(80, random);
        long floor = lives.bound() + random.nextInt(30);
        Descent descent = new Descent(lives, stacked(lives), floor, EFFORT, Work.unlimited());
        long before = descent.bytes();
        Outcome outcome = descent.advance(MANY, MANY);
        while (outcome != Outcome.EXHAUSTED) {
            if (outcome == Outcome.LOWERED) {
                assertThat(descent.bytes()).isLessThan(before);
                assertValid(lives, descent);
            }
            before = descent.bytes();
            outcome = descent.advance(MANY, MANY);
        }
        assertThat(descent.bytes()).isLessThanOrEqualTo(Math.max(floor, 2 * lives.bound() + lives.boundary()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void whereItPausesChangesNothing(long seed) {
        Rectangles lives = Rectangles.random(80, new SplittableRandom(seed));
        assertThat(course(lives, 1)).isEqualTo(course(lives, MANY));
    }

    /** All placements on the way, where it may take so many steps at once. */
    private static List<List<Long>> course(Rectangles lives, long steps) {
        Descent descent = new Descent(lives, stacked(lives), lives.bound(), EFFORT, Work.unlimited());
        List<List<Long>> placements = new ArrayList<>();
        for (Outcome outcome = Outcome.PAUSED; outcome != Outcome.EXHAUSTED; outcome = descent.advance(steps, MANY)) {
            if (outcome == Outcome.LOWERED) {
                placements.add(Arrays.stream(descent.addresses()).boxed().toList());
            }
        }
        return placements;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void aLowerPlacementFromElsewhereIsWhereItGoesOn(long seed) {
        Rectangles lives = Rectangles.random(80, new SplittableRandom(seed));
        Descent lowered = new Descent(lives, stacked(lives), lives.bound(), EFFORT, Work.unlimited());
        while (lowered.advance(MANY, MANY) != Outcome.EXHAUSTED) {
            assertThat(lowered.bytes()).isNotNegative();
        }
        Descent turned = new Descent(lives, stacked(lives), lives.bound(), EFFORT, Work.unlimited());
        turned.advance(1, MANY);
        turned.turnTo(lowered.addresses());
        assertThat(turned.bytes()).isEqualTo(lowered.bytes());
        while (turned.advance(MANY, MANY) != Outcome.EXHAUSTED) {
            assertThat(turned.bytes()).isLessThanOrEqualTo(lowered.bytes());
            assertValid(lives, turned);
        }
    }

    /** Each on top of all others. */
    private static long[] stacked(Rectangles lives) {
        long[] addresses = new long[lives.count()];
        long top = 0;
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = lives.clearOfBoundary(top, lives.size(i));
            top = addresses[i] + lives.size(i);
        }
        return addresses;
    }

    private static void assertValid(Rectangles lives, Descent descent) {
        long[] at = descent.addresses();
        assertThat(descent.bytes()).isEqualTo(lives.bytes(at));
        for (int i = 0; i < at.length; i++) {
            assertThat(at[i]).isNotNegative();
            assertThat(lives.isClear(at[i], lives.size(i))).isTrue();
            for (int k = 0; k < i; k++) {
                boolean apart = at[i] >= at[k] + lives.size(k) || at[k] >= at[i] + lives.size(i);
                assertThat(apart || !lives.meet(i, k)).isTrue();
            }
        }
    }
}
