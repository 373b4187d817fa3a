package io.devicearena.plan.optimal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.testing.LargeProblems;
import io.devicearena.plan.testing.OverlapCheck;
import io.devicearena.plan.testing.SearchProblems;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptimalSearchTest {
    private static final int PROBLEMS_PER_SEED = 60;
    /** Longer than any search here takes; it only ends one that hangs. */
    private static final OptimalSearch SEARCH = OptimalSearch.withTimeLimit(Duration.ofHours(1));

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void arenas_ofTinyProblems_areTheSmallestOfAll(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = tiny(random);
            SearchResult result = SEARCH.search(problem);
            OverlapCheck.check(problem, result.offsets(), result.arenaBytes());
            assertThat(result.arenaBytes())
                    .as("problem %d of seed %d: %s", i, seed, problem)
                    .isEqualTo(ExhaustiveOptimum.arenaBytes(problem));
            assertThat(result.isProvedOptimal()).isTrue();
            assertThat(result.stopReason()).isIn(StopReason.LOWER_BOUND_REACHED, StopReason.OPTIMAL);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void capacity_oneByteBelowTheOptimum_isInfeasible(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < PROBLEMS_PER_SEED; i++) {
            PlacementProblem problem = tiny(random);
            long least = ExhaustiveOptimum.arenaBytes(problem);
            SearchResult fits = SEARCH.withCapacity(least).search(problem);
            OverlapCheck.check(problem, fits.offsets(), least);
            assertThat(fits.stopReason()).isEqualTo(StopReason.CAPACITY_REACHED);
            assertThat(fits.shortfallBytes()).isZero();
            if (least > 0) {
                SearchResult fails = SEARCH.withCapacity(least - 1).search(problem);
                assertThat(fails.stopReason()).isEqualTo(StopReason.INFEASIBLE);
                assertThat(fails.shortfallBytes()).isPositive();
                assertThat(fails.lowerBound()).isLessThanOrEqualTo(least);
                OverlapCheck.check(problem, fails.offsets(), fails.arenaBytes());
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
    void realTraces_reachTheLowerBound(String name) throws IOException {
        PlacementProblem problem = SearchProblems.trace(name);
        SearchResult result = SEARCH.search(problem);
        OverlapCheck.check(problem, result.offsets(), result.arenaBytes());
        assertThat(result.arenaBytes()).isEqualTo(problem.lowerBound());
        assertThat(result.stopReason()).isEqualTo(StopReason.LOWER_BOUND_REACHED);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"A.1048576", "D.1048576", "H.1048576"})
    void densePackings_fitTheirCapacity(String name) throws IOException {
        PlacementProblem problem = SearchProblems.trace(name);
        for (long capacity : new long[] {1_048_576, 1_059_062, 1_101_005}) {
            SearchResult result = SEARCH.withCapacity(capacity).search(problem);
            OverlapCheck.check(problem, result.offsets(), capacity);
            assertThat(result.stopReason()).isEqualTo(StopReason.CAPACITY_REACHED);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void cutSquares_fitTheirSquare(long seed) {
        PlacementProblem problem = SearchProblems.cutSquare(200, seed);
        SearchResult result = SEARCH.withCapacity(SearchProblems.SQUARE).search(problem);
        OverlapCheck.check(problem, result.offsets(), SearchProblems.SQUARE);
        assertThat(result.stopReason()).isEqualTo(StopReason.CAPACITY_REACHED);
    }

    @Test
    void manyBuffers_areNoWorseThanTheDefault_andDeterministic() {
        assertNoWorse(9000, 1);
    }

    @Test
    @Tag("exhaustive")
    void fewerBuffers_areNoWorseThanTheDefault_andDeterministic() {
        assertNoWorse(2500, 6);
    }

    /** The default does not meet the bound of the problem. */
    private static void assertNoWorse(int count, long seed) {
        PlacementProblem problem = LargeProblems.anyLength(count, seed);
        long[] byDefault = PlacementStrategies.all().getFirst().place(problem);
        long arenaBytes = IntStream.range(0, count)
                .mapToLong(i -> byDefault[i] + problem.size(i))
                .max()
                .orElseThrow();
        OptimalSearch search = SEARCH.withNodeLimit(20_001);
        SearchResult once = search.search(problem);
        assertThat(once.stopReason()).isIn(StopReason.NODE_LIMIT, StopReason.LOWER_BOUND_REACHED);
        OverlapCheck.check(problem, once.offsets(), once.arenaBytes());
        assertThat(once.arenaBytes()).isLessThanOrEqualTo(arenaBytes);
        SearchResult again = search.search(problem);
        assertThat(again.offsets()).isEqualTo(once.offsets());
        assertThat(again).hasToString(once.toString());
    }

    @Test
    void progress_isMonotoneAndEndsWithTheResult() throws IOException {
        List<SearchProgress> reports = new ArrayList<>();
        SearchResult result =
                SEARCH.withNodeLimit(20_000).onProgress(reports::add).search(SearchProblems.trace("D.1048576"));
        for (int i = 1; i < reports.size(); i++) {
            assertThat(reports.get(i).arenaBytes())
                    .isLessThanOrEqualTo(reports.get(i - 1).arenaBytes());
            assertThat(reports.get(i).lowerBound())
                    .isGreaterThanOrEqualTo(reports.get(i - 1).lowerBound());
            assertThat(reports.get(i).nodes())
                    .isGreaterThanOrEqualTo(reports.get(i - 1).nodes());
            assertThat(reports.get(i).elapsed())
                    .isGreaterThanOrEqualTo(reports.get(i - 1).elapsed());
        }
        assertThat(result.arenaBytes()).isEqualTo(reports.getLast().arenaBytes());
        assertThat(result.stopReason()).isEqualTo(StopReason.NODE_LIMIT);
        assertThat(result.isProvedOptimal()).isFalse();
        assertThat(result.nodes()).isGreaterThanOrEqualTo(20_000);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"D.1048576", "H.1048576", "somas_resnet50"})
    void nodeLimit_givesTheSameBytesAgain(String name) throws IOException {
        PlacementProblem problem = SearchProblems.trace(name);
        SearchResult once = SEARCH.withNodeLimit(30_000).search(problem);
        SearchResult again = SEARCH.withNodeLimit(30_000).search(problem);
        assertThat(again.offsets()).isEqualTo(once.offsets());
        assertThat(again).hasToString(once.toString());
    }

    @Test
    void result_isNoLargerThanTheDefault() {
        PlacementProblem problem = SearchProblems.cutSquare(150, 7);
        long arenaBytes = SEARCH.withNodeLimit(1).search(problem).arenaBytes();
        long[] offsets = PlacementStrategies.all().getFirst().place(problem);
        long other = IntStream.range(0, offsets.length)
                .mapToLong(i -> offsets[i] + problem.size(i))
                .max()
                .orElseThrow();
        assertThat(arenaBytes).isLessThanOrEqualTo(other);
    }

    @Test
    void aCancelledStopReasonsWithItsBestPlan() throws IOException {
        PlacementProblem problem = SearchProblems.trace("D.1048576");
        SearchResult result = SEARCH.cancelWhen(() -> true).search(problem);
        OverlapCheck.check(problem, result.offsets(), result.arenaBytes());
        assertThat(result.stopReason()).isEqualTo(StopReason.CANCELLED);
    }

    @Test
    void interrupt_endsTheSearchAndStaysSet() throws IOException {
        PlacementProblem problem = SearchProblems.trace("D.1048576");
        Thread.currentThread().interrupt();
        SearchResult result = SEARCH.search(problem);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.stopReason()).isEqualTo(StopReason.CANCELLED);
    }

    @Test
    void listenerException_endsTheSearch() throws IOException {
        PlacementProblem problem = SearchProblems.trace("D.1048576");
        OptimalSearch search = SEARCH.onProgress(progress -> {
            if (progress.nodes() > 0) {
                throw new IllegalStateException("enough");
            }
        });
        assertThatThrownBy(() -> search.search(problem))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("enough");
    }

    @Test
    void timeLimit_endsTheSearch() throws IOException {
        PlacementProblem problem = SearchProblems.trace("D.1048576");
        SearchResult result = OptimalSearch.withTimeLimit(Duration.ofNanos(1)).search(problem);
        OverlapCheck.check(problem, result.offsets(), result.arenaBytes());
        assertThat(result.stopReason()).isEqualTo(StopReason.TIME_LIMIT);
        assertThat(result.isProvedOptimal()).isFalse();
    }

    @Test
    void noTime_givesTheFirstPlacement() {
        PlacementProblem problem = SearchProblems.heavyTailed(100_000, 1);
        SearchResult result = OptimalSearch.withTimeLimit(Duration.ofNanos(1)).search(problem);
        OverlapCheck.check(problem, result.offsets(), result.arenaBytes());
        assertThat(result.stopReason()).isEqualTo(StopReason.TIME_LIMIT);
        assertThat(result.nodes()).isZero();
        assertThat(result.offsets()).isEqualTo(PlacementStrategies.fast().place(problem));
    }

    @Test
    void capacityBelowTheBound_reportsTheShortfall() {
        PlacementProblem problem = SearchProblems.together(1L << 61, 1L << 61, 5);
        SearchResult result = SEARCH.withCapacity(100).search(problem);
        assertThat(result.stopReason()).isEqualTo(StopReason.INFEASIBLE);
        assertThat(result.shortfallBytes()).isEqualTo((1L << 62) + 5 - 100);
        assertThat(result.nodes()).isZero();
    }

    @Test
    void hugeSizes_doNotOverflow() {
        PlacementProblem problem = SearchProblems.around(1L << 60);
        SearchResult result = SEARCH.search(problem);
        OverlapCheck.check(problem, result.offsets(), result.arenaBytes());
        assertThat(result.isProvedOptimal()).isTrue();
        assertThat(result.arenaBytes()).isEqualTo(ExhaustiveOptimum.arenaBytes(problem));
    }

    @Test
    void manyBuffersAtOneStep_needNoSearch() {
        long[] sizes = new long[100_000];
        Arrays.setAll(sizes, i -> i % 1_000);
        SearchResult result = SEARCH.search(SearchProblems.together(sizes));
        assertThat(result.stopReason()).isEqualTo(StopReason.LOWER_BOUND_REACHED);
        assertThat(result.arenaBytes()).isEqualTo(49_950_000);
    }

    @Test
    void noBuffers_needNothing() {
        SearchResult result = SEARCH.search(SearchProblems.together());
        assertThat(result)
                .hasToString("SearchResult[stopReason=LOWER_BOUND_REACHED, arenaBytes=0, lowerBound=0, nodes=0]");
        assertThat(result.offsets()).isEmpty();
    }

    @Test
    void onResult_receivesTheWholeResult() {
        List<SearchResult> results = new ArrayList<>();
        PlacementProblem problem = SearchProblems.cutSquare(20, 3);
        long[] offsets = SEARCH.onResult(results::add).place(problem);
        assertThat(results).hasSize(1);
        assertThat(results.getFirst().offsets()).isEqualTo(offsets);
    }

    @Test
    void nodeLimitOfZero_isRejected() {
        assertThatThrownBy(() -> SEARCH.withNodeLimit(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nodes: expected 1 or more, got 0");
    }

    @Test
    void negativeCapacity_isRejected() {
        assertThatThrownBy(() -> SEARCH.withCapacity(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("capacity: expected 0 or more bytes, got -1");
    }

    @Test
    void timeLimitOfZero_isRejected() {
        assertThatThrownBy(() -> OptimalSearch.withTimeLimit(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeLimit: expected more than zero, got PT0S");
    }
}
