package io.devicearena.plan.internal.ejection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compared with a look at every address. */
class RoomSearchTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void findsTheLowestFreeAddressAndWhereNoneIsBelowATargetTheCheapest(long seed) {
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
        private final Rectangles lives;
        private final Places places;
        private final Stretches stretches;
        private final long[] costs;
        private final RoomSearch rooms;
        private final long top;

        Crowd(long seed) {
            this.random = new SplittableRandom(seed);
            this.lives = Rectangles.random(60, random);
            this.places = new Places(lives);
            int[] byFirst = IntStream.range(0, lives.count())
                    .boxed()
                    .sorted(Comparator.comparingInt(lives::first))
                    .mapToInt(i -> i)
                    .toArray();
            this.stretches = new Stretches(lives, byFirst, places, Work.unlimited());
            this.costs = random.longs(lives.count(), 1, 1_000).toArray();
            this.rooms = new RoomSearch(lives, places, costs, 1, Work.unlimited());
            this.top = 2 * lives.bound();
            for (int i = 0; i < lives.count(); i++) {
                long address = random.nextLong(top);
                if (isClear(i, address) && cost(i, address) == 0) {
                    stretches.place(i, address);
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
            assertThat(rooms.findCheapest(around, life, lives.highest(life, target)))
                    .isEqualTo(least < Long.MAX_VALUE);
            if (least < Long.MAX_VALUE) {
                long found = rooms.address();
                assertThat(found).isBetween(0L, target - lives.size(life));
                assertThat(isClear(life, found)).isTrue();
                assertThat(cost(life, found)).isEqualTo(least);
                assertThat(rooms.inTheWay(life))
                        .containsExactlyInAnyOrder(inTheWay(life, found).toArray());
                assertThat(rooms.isRoomFree()).isEqualTo(least == 0);
                assertThat(rooms.isFree(around, life, found)).isEqualTo(least == 0);
                if (least == 0) {
                    assertThat(found).isEqualTo(firstFit);
                }
            }
        }

        private boolean isClear(int life, long address) {
            return lives.isClear(address, lives.size(life));
        }

        private long cost(int life, long address) {
            return inTheWay(life, address).mapToLong(i -> costs[i]).sum();
        }

        private IntStream inTheWay(int life, long address) {
            return IntStream.range(0, lives.count())
                    .filter(places::isTaken)
                    .filter(i -> lives.meet(i, life))
                    .filter(i -> places.low(i) < address + lives.size(life) && places.high(i) > address);
        }
    }
}
