package io.devicearena.plan.internal.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoweringTest {
    private static final int DESCENTS = 3;
    private static final long MANY = 1L << 40;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void everyPlacementIsLowerAndValidAndNoneIsBelowTheFloor(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rectangles lives = Rectangles.random(80, random);
        long floor = lives.bound() + random.nextInt(30);
        Lowering lowering = new Lowering(lives, lives.stacked(), floor, DESCENTS, 0, Work.unlimited());
        long before = lowering.bytes();
        Outcome outcome = lowering.advance(MANY);
        while (outcome != Outcome.EXHAUSTED) {
            if (outcome == Outcome.LOWERED) {
                assertThat(lowering.bytes()).isLessThan(before);
                assertValid(lives, lowering);
            }
            before = lowering.bytes();
            outcome = lowering.advance(MANY);
        }
        assertThat(lowering.bytes()).isLessThanOrEqualTo(Math.max(floor, 2 * lives.bound() + lives.boundary()));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void whereItPausesChangesNothing(long seed) {
        Rectangles lives = Rectangles.random(80, new SplittableRandom(seed));
        assertThat(course(lives, 1)).isEqualTo(course(lives, MANY));
    }

    /** All placements on the way, where it may take so many steps at once. */
    private static List<List<Long>> course(Rectangles lives, long steps) {
        Lowering lowering = new Lowering(lives, lives.stacked(), lives.bound(), DESCENTS, 0, Work.unlimited());
        List<List<Long>> placements = new ArrayList<>();
        for (Outcome outcome = Outcome.PAUSED; outcome != Outcome.EXHAUSTED; outcome = lowering.advance(steps)) {
            if (outcome == Outcome.LOWERED) {
                placements.add(Arrays.stream(lowering.addresses()).boxed().toList());
            }
        }
        return placements;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void aLowerPlacementFromElsewhereIsWhereItGoesOn(long seed) {
        Rectangles lives = Rectangles.random(80, new SplittableRandom(seed));
        Lowering lowered = new Lowering(lives, lives.stacked(), lives.bound(), DESCENTS, 0, Work.unlimited());
        while (lowered.advance(MANY) != Outcome.EXHAUSTED) {
            assertThat(lowered.bytes()).isNotNegative();
        }
        Lowering turned = new Lowering(lives, lives.stacked(), lives.bound(), DESCENTS, 0, Work.unlimited());
        turned.advance(1);
        turned.turnTo(lowered.addresses());
        assertThat(turned.bytes()).isEqualTo(lowered.bytes());
        while (turned.advance(MANY) != Outcome.EXHAUSTED) {
            assertThat(turned.bytes()).isLessThanOrEqualTo(lowered.bytes());
            assertValid(lives, turned);
        }
    }

    private static void assertValid(Rectangles lives, Lowering lowering) {
        assertThat(lowering.bytes()).isEqualTo(lives.bytes(lowering.addresses()));
        lives.assertValid(lowering.addresses());
    }
}
