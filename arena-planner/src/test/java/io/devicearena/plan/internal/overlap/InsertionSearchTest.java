package io.devicearena.plan.internal.overlap;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.testing.ConflictOracle;
import io.devicearena.plan.testing.SmallProblems;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares with a look at every offset. */
class InsertionSearchTest {
    private static final int PROBLEMS_PER_SEED = 20;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void firstFitAndFindCheapest_randomPlacement_areThoseOfAFullScan(long seed) {
        for (long i = seed * PROBLEMS_PER_SEED; i < (seed + 1) * PROBLEMS_PER_SEED; i++) {
            LiveRanges ranges = LiveRanges.of(SmallProblems.small(i));
            if (ranges.count() > 0) {
                new PartlyPlaced(ranges, i).checkUnplaced();
            }
        }
    }

    /** Some buffers placed without a conflict, others unplaced. */
    private static final class PartlyPlaced {
        private final SplittableRandom random;
        private final LiveRanges ranges;
        private final PlacementState state;
        private final OverlapIndex index;
        private final long[] costs;
        private final InsertionSearch search;
        private final long top;

        PartlyPlaced(LiveRanges ranges, long seed) {
            this.random = new SplittableRandom(seed);
            this.ranges = ranges;
            this.state = new PlacementState(ranges);
            this.index = new OverlapIndex(ranges, ranges.byFirst(), state, new StepBudget(Long.MAX_VALUE));
            this.costs = random.longs(ranges.count(), 1, 1_000).toArray();
            this.search = new InsertionSearch(ranges, state, costs, 1, new StepBudget(Long.MAX_VALUE));
            this.top = 2 * ranges.maxLoad();
            for (int i = 0; i < ranges.count(); i++) {
                long offset = random.nextLong(top);
                if (crossesNothing(i, offset) && cost(i, offset) == 0) {
                    index.place(i, offset);
                }
            }
        }

        void checkUnplaced() {
            IntStream.range(0, ranges.count()).filter(i -> !state.isPlaced(i)).forEach(this::check);
        }

        private void check(int buffer) {
            long firstFit = search.firstFit(index, buffer);
            assertThat(firstFit)
                    .isEqualTo(LongStream.range(0, Long.MAX_VALUE)
                            .filter(offset -> crossesNothing(buffer, offset) && cost(buffer, offset) == 0)
                            .findFirst()
                            .orElseThrow());
            assertThat(search.isFree(index, buffer, firstFit)).isTrue();
            long highest = random.nextLong(top) - ranges.size(buffer);
            long least = LongStream.rangeClosed(0, highest)
                    .filter(offset -> crossesNothing(buffer, offset))
                    .map(offset -> cost(buffer, offset))
                    .min()
                    .orElse(Long.MAX_VALUE);
            assertThat(search.findCheapest(index, buffer, highest)).isEqualTo(least < Long.MAX_VALUE);
            if (least < Long.MAX_VALUE) {
                checkFound(buffer, highest, least, firstFit);
            }
        }

        private void checkFound(int buffer, long highest, long least, long firstFit) {
            long found = search.found();
            assertThat(found).isBetween(0L, highest);
            assertThat(crossesNothing(buffer, found)).isTrue();
            assertThat(cost(buffer, found)).isEqualTo(least);
            assertThat(search.inTheWay(buffer))
                    .containsExactlyInAnyOrder(inTheWay(buffer, found).toArray());
            assertThat(search.isFoundFree()).isEqualTo(least == 0);
            assertThat(search.isFree(index, buffer, found)).isEqualTo(least == 0);
            if (least == 0) {
                assertThat(found).isEqualTo(firstFit);
            }
        }

        private boolean crossesNothing(int buffer, long offset) {
            return ranges.skipBoundary(offset, ranges.size(buffer)) == offset;
        }

        private long cost(int buffer, long offset) {
            return inTheWay(buffer, offset).mapToLong(i -> costs[i]).sum();
        }

        private IntStream inTheWay(int buffer, long offset) {
            return IntStream.range(0, ranges.count())
                    .filter(state::isPlaced)
                    .filter(i -> ConflictOracle.overlap(ranges, i, buffer))
                    .filter(i -> state.offset(i) < offset + ranges.size(buffer) && state.end(i) > offset);
        }
    }
}
