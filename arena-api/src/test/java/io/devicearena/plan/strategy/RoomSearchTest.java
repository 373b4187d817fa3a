package io.devicearena.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compared with a look at every address. */
class RoomSearchTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void findsTheLowestFreeAddressAndTheCheapestOneBelowATarget(long seed) {
        Crowd crowd = new Crowd(seed);
        for (int life = 0; life < crowd.lives.count(); life++) {
            if (!crowd.places.isTaken(life)) {
                crowd.check(life);
            }
        }
    }

    /** Some lives in places that do not overlap, others without. */
    private static final class Crowd {
        private final SplittableRandom random;
        private final Lives lives;
        private final Places places;
        private final Stretches stretches;
        private final long[] costs;
        private final RoomSearch rooms;
        private final long top;

        Crowd(long seed) {
            this.random = new SplittableRandom(seed);
            int count = 1 + random.nextInt(60);
            long boundary = random.nextInt(3) == 0 ? 40 : 0;
            long[] sizes = random.longs(count, 1, 30).toArray();
            long[] lowers = random.longs(count, 0, 40).toArray();
            long[] uppers = Arrays.stream(lowers)
                    .map(lower -> lower + 1 + random.nextInt(12))
                    .toArray();
            PlacementProblem problem = new PlacementProblem(sizes, lowers, uppers, 1, boundary);
            this.lives = new Lives(problem);
            this.places = new Places(lives);
            this.stretches = new Stretches(lives, Order.EARLIEST.of(lives), places, Work.unlimited());
            this.costs = random.longs(count, 1, 1_000).toArray();
            this.rooms = new RoomSearch(lives, places, costs, Work.unlimited());
            long[] addresses = new Recipe(Order.LARGEST, Fit.TOP).place(lives);
            this.top = lives.bound() * 2;
            for (int i = 0; i < count; i++) {
                if (random.nextInt(3) > 0 && addresses[i] + lives.size(i) <= top) {
                    stretches.place(i, addresses[i]);
                }
            }
        }

        void check(int life) {
            Stretches.Stretch around = stretches.around(life);
            long firstFit = rooms.firstFit(around, life);
            assertThat(firstFit)
                    .isEqualTo(LongStream.range(0, Long.MAX_VALUE)
                            .filter(address -> isClear(life, address) && cost(life, address) == 0)
                            .findFirst()
                            .orElseThrow());
            assertThat(rooms.isFree(around, life, firstFit)).isTrue();
            long target = 1 + random.nextLong(top);
            long least = LongStream.rangeClosed(0, target - lives.size(life))
                    .filter(address -> isClear(life, address))
                    .map(address -> cost(life, address))
                    .min()
                    .orElse(Long.MAX_VALUE);
            assertThat(rooms.findCheapest(around, life, target)).isEqualTo(least < Long.MAX_VALUE);
            if (least < Long.MAX_VALUE) {
                long found = rooms.address();
                assertThat(found).isBetween(0L, target - lives.size(life));
                assertThat(isClear(life, found)).isTrue();
                assertThat(cost(life, found)).isEqualTo(least);
                assertThat(rooms.inTheWay(life))
                        .containsExactlyInAnyOrder(inTheWay(life, found).toArray());
                assertThat(rooms.isFree(around, life, found)).isEqualTo(least == 0);
            }
        }

        private boolean isClear(int life, long address) {
            return lives.clearOfBoundary(address, lives.size(life)) == address;
        }

        private long cost(int life, long address) {
            return inTheWay(life, address).mapToLong(i -> costs[i]).sum();
        }

        private IntStream inTheWay(int life, long address) {
            return IntStream.range(0, lives.count())
                    .filter(places::isTaken)
                    .filter(i -> lives.first(i) < lives.end(life) && lives.end(i) > lives.first(life))
                    .filter(i -> places.low(i) < address + lives.size(life) && places.high(i) > address);
        }
    }
}
