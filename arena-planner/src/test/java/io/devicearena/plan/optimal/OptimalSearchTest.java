package io.devicearena.plan.optimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategies;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.placement.Shapes;
import io.devicearena.plan.testing.OverlapCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptimalSearchTest {
    private static final int PROBLEMS_PER_SEED = 60;
    /** Longer than any search here takes; it only ends one that hangs. */
    private static final OptimalSearch SEARCH = OptimalSearch.within(Duration.ofMinutes(1));

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void heightsAreTheLeastOfAll(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = tiny(random);
            SearchResult result = SEARCH.search(problem);
            OverlapCheck.check(problem, result.offsets(), result.height());
            assertThat(result.height())
                    .as("problem %d of seed %d: %s", i, seed, problem)
                    .isEqualTo(ExhaustiveOptimum.height(problem));
            assertThat(result.isProvedOptimal()).isTrue();
            assertThat(result.end()).isIn(SearchEnd.BOUND_MET, SearchEnd.PROVED_OPTIMAL);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatIsOneByteTooLargeIsProvedNotToFit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = tiny(random);
            long least = ExhaustiveOptimum.height(problem);
            SearchResult fits = SEARCH.untilItFits(least).search(problem);
            OverlapCheck.check(problem, fits.offsets(), least);
            assertThat(fits.end()).isEqualTo(SearchEnd.CAPACITY_MET);
            assertThat(fits.missingBytes()).isZero();
            if (least > 0) {
                SearchResult fails = SEARCH.untilItFits(least - 1).search(problem);
                assertThat(fails.end()).isEqualTo(SearchEnd.PROVED_NOT_TO_FIT);
                assertThat(fails.missingBytes()).isPositive();
                assertThat(fails.lowerBound()).isLessThanOrEqualTo(least);
                OverlapCheck.check(problem, fails.offsets(), fails.height());
            }
        }
    }

    /** Up to 7 buffers that crowd a few steps, so that greedy plans are seldom optimal. */
    private static PlacementProblem tiny(SplittableRandom random) {
        int count = random.nextInt(8);
        long alignment = random.nextInt(3) == 0 ? 1L << random.nextInt(5) : 1;
        int largest = 1 + random.nextInt(30);
        long boundary = random.nextInt(4) == 0 ? (largest + random.nextInt(30)) / alignment * alignment + alignment : 0;
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(largest);
            lowers[i] = random.nextInt(6);
            uppers[i] = lowers[i] + random.nextInt(5);
        }
        return new PlacementProblem(sizes, lowers, uppers, alignment, boundary, random.nextInt(3) * alignment);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "A.1048576",
                "H.1048576",
                "iopddl_G1_transformer_infer",
                "onnx_light_densenet121",
                "onnx_light_inception_v1",
                "somas_resnet50",
                "tflite_mobilenet_v2_int8",
                "xla_cpu_step_resnet50_train"
            })
    void realTracesMeetTheBound(String name) throws IOException {
        PlacementProblem problem = Problems.trace(name);
        SearchResult result = SEARCH.search(problem);
        OverlapCheck.check(problem, result.offsets(), result.height());
        assertThat(result.height()).isEqualTo(problem.lowerBound());
        assertThat(result.end()).isEqualTo(SearchEnd.BOUND_MET);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"A.1048576", "D.1048576", "H.1048576"})
    void densePackingsFitWhereTheyAreKnownTo(String name) throws IOException {
        PlacementProblem problem = Problems.trace(name);
        for (long capacity : new long[] {1_048_576, 1_059_062, 1_101_005}) {
            SearchResult result = SEARCH.untilItFits(capacity).search(problem);
            OverlapCheck.check(problem, result.offsets(), capacity);
            assertThat(result.end()).isEqualTo(SearchEnd.CAPACITY_MET);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void packingsThatFillTheirSquareFit(long seed) {
        PlacementProblem problem = Problems.cutSquare(200, seed);
        SearchResult result = SEARCH.untilItFits(Problems.SQUARE).search(problem);
        OverlapCheck.check(problem, result.offsets(), Problems.SQUARE);
        assertThat(result.end()).isEqualTo(SearchEnd.CAPACITY_MET);
    }

    @ParameterizedTest(name = "{0} buffers, seed {1}")
    @CsvSource({"2500, 6", "2500, 11", "9000, 1", "9000, 2", "9000, 3"})
    void theDefaultPlanOfManyBuffersIsLoweredAndByAsMuchEachTime(int count, long seed) {
        // the default does not meet the bound of these
        PlacementProblem problem = Shapes.anyLength(count, seed);
        long[] byDefault = PlacementStrategies.all().getFirst().place(problem);
        long height = IntStream.range(0, count)
                .mapToLong(i -> byDefault[i] + problem.size(i))
                .max()
                .orElseThrow();
        OptimalSearch search = SEARCH.withinNodes(3_000_001);
        SearchResult once = search.search(problem);
        assertThat(once.end()).isIn(SearchEnd.NODES_OVER, SearchEnd.BOUND_MET);
        OverlapCheck.check(problem, once.offsets(), once.height());
        assertThat(once.height()).isLessThan(height);
        SearchResult again = search.search(problem);
        assertThat(again.offsets()).isEqualTo(once.offsets());
        assertThat(again).hasToString(once.toString());
    }

    @Test
    void progressIsMonotoneAndEndsWithTheResult() throws IOException {
        List<SearchProgress> reports = new ArrayList<>();
        SearchResult result =
                SEARCH.withinNodes(20_000).reportingTo(reports::add).search(Problems.trace("D.1048576"));
        for (int i = 1; i < reports.size(); i++) {
            assertThat(reports.get(i).height())
                    .isLessThanOrEqualTo(reports.get(i - 1).height());
            assertThat(reports.get(i).lowerBound())
                    .isGreaterThanOrEqualTo(reports.get(i - 1).lowerBound());
            assertThat(reports.get(i).nodes())
                    .isGreaterThanOrEqualTo(reports.get(i - 1).nodes());
            assertThat(reports.get(i).elapsed())
                    .isGreaterThanOrEqualTo(reports.get(i - 1).elapsed());
        }
        assertThat(result.height()).isEqualTo(reports.getLast().height());
        assertThat(result.end()).isEqualTo(SearchEnd.NODES_OVER);
        assertThat(result.isProvedOptimal()).isFalse();
        assertThat(result.nodes()).isGreaterThanOrEqualTo(20_000);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"D.1048576", "H.1048576", "somas_resnet50"})
    void asManyNodesGiveTheSameBytes(String name) throws IOException {
        PlacementProblem problem = Problems.trace(name);
        SearchResult once = SEARCH.withinNodes(30_000).search(problem);
        SearchResult again = SEARCH.withinNodes(30_000).search(problem);
        assertThat(again.offsets()).isEqualTo(once.offsets());
        assertThat(again).hasToString(once.toString());
    }

    @Test
    void noOtherStrategyNeedsFewerBytes() {
        PlacementProblem problem = Problems.cutSquare(150, 7);
        long height = SEARCH.withinNodes(1).search(problem).height();
        for (PlacementStrategy strategy : PlacementStrategies.all()) {
            long[] offsets = strategy.place(problem);
            long other = IntStream.range(0, offsets.length)
                    .mapToLong(i -> offsets[i] + problem.size(i))
                    .max()
                    .orElseThrow();
            assertThat(height).as(strategy.name()).isLessThanOrEqualTo(other);
        }
    }

    @Test
    void aCancelledSearchEndsWithItsBestPlan() throws IOException {
        PlacementProblem problem = Problems.trace("D.1048576");
        SearchResult result = SEARCH.cancelledWhen(() -> true).search(problem);
        OverlapCheck.check(problem, result.offsets(), result.height());
        assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    }

    @Test
    void anInterruptEndsTheSearchAndStaysSet() throws IOException {
        PlacementProblem problem = Problems.trace("D.1048576");
        Thread.currentThread().interrupt();
        SearchResult result = SEARCH.search(problem);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.end()).isEqualTo(SearchEnd.CANCELLED);
    }

    @Test
    void aListenerThatThrowsEndsTheSearch() throws IOException {
        PlacementProblem problem = Problems.trace("D.1048576");
        OptimalSearch search = SEARCH.reportingTo(progress -> {
            if (progress.nodes() > 0) {
                throw new IllegalStateException("enough");
            }
        });
        assertThatThrownBy(() -> search.search(problem))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("enough");
    }

    @Test
    void timeThatIsOverEndsTheSearch() throws IOException {
        PlacementProblem problem = Problems.trace("D.1048576");
        SearchResult result = OptimalSearch.within(Duration.ofNanos(1)).search(problem);
        OverlapCheck.check(problem, result.offsets(), result.height());
        assertThat(result.end()).isEqualTo(SearchEnd.BUDGET_OVER);
        assertThat(result.isProvedOptimal()).isFalse();
    }

    @Test
    void withoutTimeManyBuffersGetTheInstantPlan() {
        PlacementProblem problem = Problems.heavyTailed(100_000, 1);
        SearchResult result = OptimalSearch.within(Duration.ofNanos(1)).search(problem);
        OverlapCheck.check(problem, result.offsets(), result.height());
        assertThat(result.end()).isEqualTo(SearchEnd.BUDGET_OVER);
        assertThat(result.nodes()).isZero();
        assertThat(result.offsets())
                .isEqualTo(PlacementStrategies.named("longest-on-top").place(problem));
    }

    @Test
    void timeThatIsOverLeavesStrategiesThatTakeLong() {
        // The default strategy takes seconds for it, and no strategy meets the bound.
        PlacementProblem problem = Shapes.anyLength(200_000, 1);
        List<SearchProgress> reports = new ArrayList<>();
        SearchResult result = OptimalSearch.within(Duration.ofMillis(300))
                .reportingTo(reports::add)
                .search(problem);
        OverlapCheck.check(problem, result.offsets(), result.height());
        assertThat(result.end()).isEqualTo(SearchEnd.BUDGET_OVER);
        assertThat(result.height()).isLessThanOrEqualTo(reports.getFirst().height());
    }

    @Test
    void aCapacityBelowTheBoundIsShortOfSoManyBytes() {
        PlacementProblem problem = Problems.together(1L << 61, 1L << 61, 5);
        SearchResult result = SEARCH.untilItFits(100).search(problem);
        assertThat(result.end()).isEqualTo(SearchEnd.PROVED_NOT_TO_FIT);
        assertThat(result.missingBytes()).isEqualTo((1L << 62) + 5 - 100);
        assertThat(result.nodes()).isZero();
    }

    @Test
    void hugeSizesDoNotOverflow() {
        PlacementProblem problem = Problems.around(1L << 60);
        SearchResult result = SEARCH.search(problem);
        OverlapCheck.check(problem, result.offsets(), result.height());
        assertThat(result.isProvedOptimal()).isTrue();
        assertThat(result.height()).isEqualTo(ExhaustiveOptimum.height(problem));
    }

    @Test
    void aMillionLivesAtOnceNeedNoSearch() {
        long[] sizes = new long[1_000_000];
        Arrays.setAll(sizes, i -> i % 1_000);
        SearchResult result = SEARCH.search(Problems.together(sizes));
        assertThat(result.end()).isEqualTo(SearchEnd.BOUND_MET);
        assertThat(result.height()).isEqualTo(499_500_000);
    }

    @Test
    void noBuffersNeedNothing() {
        SearchResult result = SEARCH.search(Problems.together());
        assertThat(result).hasToString("SearchResult[end=BOUND_MET, height=0, lowerBound=0, nodes=0]");
        assertThat(result.offsets()).isEmpty();
    }

    @Test
    void aPlannerGetsTheOffsetsAndTheReceiverTheWholeResult() {
        List<SearchResult> results = new ArrayList<>();
        PlacementProblem problem = Problems.cutSquare(20, 3);
        long[] offsets = SEARCH.handingResultTo(results::add).place(problem);
        assertThat(results).hasSize(1);
        assertThat(results.getFirst().offsets()).isEqualTo(offsets);
    }

    @Test
    void noNodesAreRefused() {
        assertThatThrownBy(() -> SEARCH.withinNodes(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nodes: expected 1 or more, got 0");
    }

    @Test
    void aNegativeCapacityIsRefused() {
        assertThatThrownBy(() -> SEARCH.untilItFits(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity: expected 0 or more bytes, got -1");
    }

    @Test
    void aBudgetOfNoTimeIsRefused() {
        assertThatThrownBy(() -> OptimalSearch.within(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("budget: expected more than no time, got PT0S");
    }
}
