package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.Work;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FitTest {
    private static final int PROBLEMS = 300;

    @ParameterizedTest
    @EnumSource
    void bestFitIsTheNarrowestRoomOfAll(Order order) {
        for (PlacementProblem problem : problems(0)) {
            assertThat(placed(problem, order, Fit.BEST))
                    .as("%s", problem)
                    .isEqualTo(Lives.place(problem, lives -> naiveBestFit(lives, order.of(lives))));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void bestFitInTimeIsBestFit(long seed) {
        List<PlacementProblem> unbounded = problems(seed).stream()
                .filter(problem -> problem.boundary() == 0)
                .toList();
        assertThat(unbounded).hasSizeGreaterThan(PROBLEMS / 2);
        for (PlacementProblem problem : unbounded) {
            assertThat(placed(problem, Order.EARLIEST, Fit.BEST_IN_TIME))
                    .as("%s", problem)
                    .isEqualTo(placed(problem, Order.EARLIEST, Fit.BEST));
        }
        for (LongFunction<PlacementProblem> shape : List.<LongFunction<PlacementProblem>>of(
                any -> Shapes.brief(3_000, any),
                any -> Shapes.training(3_000, any),
                any -> Shapes.pipeline(3_000, any),
                any -> Shapes.anyLength(3_000, any))) {
            PlacementProblem problem = shape.apply(seed);
            assertThat(placed(problem, Order.EARLIEST, Fit.BEST_IN_TIME))
                    .isEqualTo(placed(problem, Order.EARLIEST, Fit.BEST));
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsPlacedAboveALimitOrWithoutWork(Fit fit) {
        PlacementProblem problem = Shapes.brief(500, 1);
        Lives.place(problem, lives -> {
            int[] order = Order.EARLIEST.of(lives);
            long[] addresses =
                    fit.place(lives, order, Long.MAX_VALUE, Work.unlimited()).orElseThrow();
            long height = lives.bytes(addresses);
            assertThat(fit.place(lives, order, height, Work.unlimited())).hasValue(addresses);
            assertThat(fit.place(lives, order, height - 1, Work.unlimited())).isEmpty();
            assertThat(fit.place(lives, order, height, new Work(100))).isEmpty();
            return addresses;
        });
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void bestFitThatFallsBehindIsGivenUpLongBeforeItsWorkIsSpent(long seed) {
        Lives lives = new Lives(Shapes.anyLength(5_000, seed));
        int[] order = Order.LARGEST.of(lives);
        Work all = Work.unlimited();
        assertThat(Fit.BEST.place(lives, order, Long.MAX_VALUE, all)).isPresent();
        long needed = Work.unlimited().left() - all.left();
        assertThat(Fit.BEST.place(lives, order, Long.MAX_VALUE, new Work(2 * needed)))
                .isPresent();
        Work some = new Work(needed / 3);
        assertThat(Fit.BEST.place(lives, order, Long.MAX_VALUE, some)).isEmpty();
        assertThat(some.left()).isGreaterThan(needed / 6);
    }

    private static List<PlacementProblem> problems(long seed) {
        return LongStream.range(0, PROBLEMS)
                .mapToObj(i -> Problems.small(seed * PROBLEMS + i))
                .toList();
    }

    private static long[] placed(PlacementProblem problem, Order order, Fit fit) {
        return Lives.place(problem, lives -> new Recipe(order, fit).place(lives, () -> false));
    }

    /** The definition: of all rooms between what is live with a life, the narrowest that it fits, of those the lowest. */
    private static long[] naiveBestFit(Lives lives, int[] order) {
        long[] addresses = new long[lives.count()];
        for (int k = 0; k < order.length; k++) {
            int life = order[k];
            int[] met = Arrays.stream(order, 0, k)
                    .filter(other -> lives.first(other) < lives.end(life) && lives.first(life) < lives.end(other))
                    .boxed()
                    .sorted(Comparator.comparingLong(other -> addresses[other]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            long narrowest = Long.MAX_VALUE;
            long free = 0;
            long best = -1;
            for (int other : met) {
                long address = lives.clearOfBoundary(free, lives.size(life));
                long width = addresses[other] - address;
                if (width >= lives.size(life) && width < narrowest) {
                    narrowest = width;
                    best = address;
                }
                free = Math.max(free, addresses[other] + lives.size(other));
            }
            addresses[life] = best >= 0 ? best : lives.clearOfBoundary(free, lives.size(life));
        }
        return addresses;
    }
}
