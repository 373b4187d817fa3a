package io.devicearena.plan.internal.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompletionTest {
    private static final long STEPS = 1_000_000;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void allGetPlacesBelowTheTargetAndNoneOverlap(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int found = 0;
        for (int round = 0; round < 20; round++) {
            Rectangles lives = Rectangles.random(80, random);
            long[] stacked = lives.stacked();
            int[] settled = IntStream.range(0, lives.count())
                    .filter(i -> random.nextInt(4) == 0)
                    .toArray();
            long[] places = placesOf(settled, lives);
            long target = Math.max(lives.bound() + random.nextInt(40), lives.top(settled, places));
            Optional<long[]> addresses = Completion.around(lives, stacked, settled, places, target, new Work(STEPS));
            if (addresses.isPresent()) {
                found++;
                lives.assertValid(addresses.get());
                assertThat(lives.bytes(addresses.get())).isLessThanOrEqualTo(target);
            }
        }
        assertThat(found).isPositive();
    }

    /** Each of some lives upon all those before it. */
    private static long[] placesOf(int[] some, Rectangles lives) {
        long[] places = new long[some.length];
        long top = 0;
        for (int k = 0; k < places.length; k++) {
            places[k] = lives.clearOfBoundary(top, lives.size(some[k]));
            top = places[k] + lives.size(some[k]);
        }
        return places;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void whereThereIsRoomWhatIsSettledStays(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Rectangles lives = Rectangles.random(80, random);
        int[] settled =
                IntStream.range(0, lives.count()).filter(i -> i % 5 == 0).toArray();
        long[] places = placesOf(settled, lives);
        long room = lives.top(settled, places) + lives.bytes(lives.stacked());
        long[] addresses = Completion.around(lives, lives.stacked(), settled, places, room, new Work(STEPS))
                .orElseThrow();
        for (int k = 0; k < settled.length; k++) {
            assertThat(addresses[settled[k]]).isEqualTo(places[k]);
        }
        lives.assertValid(addresses);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void withoutWorkNothingIsFound(long seed) {
        Rectangles lives = Rectangles.random(80, new SplittableRandom(seed));
        if (lives.bytes(lives.stacked()) > lives.bound()) {
            assertThat(Completion.around(lives, lives.stacked(), new int[0], new long[0], lives.bound(), new Work(0)))
                    .isEmpty();
        }
    }
}
