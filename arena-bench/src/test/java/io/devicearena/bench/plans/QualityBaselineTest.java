package io.devicearena.bench.plans;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class QualityBaselineTest {
    private static PlanFigures.Result result(String strategy, long arenaBytes, double millis) {
        return new PlanFigures.Result(strategy, arenaBytes, 2 * millis, millis);
    }

    private static List<PlanFigures> figures(PlanFigures.Result... results) {
        return List.of(new PlanFigures("tiny", 3, 1000, Arrays.asList(results)));
    }

    @Nested
    class Ratio {
        @Test
        void equalOrBetterRatioPasses() {
            List<PlanFigures> committed = figures(result("fast", 1050, 1), result("balanced", 1010, 10));

            assertThat(QualityBaseline.losses(committed, committed)).isEmpty();
            assertThat(QualityBaseline.losses(
                            committed, figures(result("fast", 1049, 1), result("balanced", 1000, 10))))
                    .isEmpty();
        }

        @Test
        void oneByteMoreFailsWithBothRatios() {
            assertThat(QualityBaseline.losses(
                            figures(result("fast", 1050, 1), result("balanced", 1010, 10)),
                            figures(result("fast", 1050, 1), result("balanced", 1011, 10))))
                    .containsExactly("tiny, balanced: committed ratio 1.010000, now 1.011000");
        }

        @Test
        void searchMayDifferByHalfAPercent() {
            assertThat(QualityBaseline.losses(figures(result("optimal", 1000, 1)), figures(result("optimal", 1005, 1))))
                    .isEmpty();
            assertThat(QualityBaseline.losses(figures(result("optimal", 1000, 1)), figures(result("optimal", 1006, 1))))
                    .containsExactly("tiny, optimal: committed ratio 1.000000, now 1.006000");
        }
    }

    @Nested
    class Time {
        @Test
        void threeTimesAndFiftyMillisecondsSlowerFails() {
            assertThat(QualityBaseline.losses(figures(result("fast", 1000, 40)), figures(result("fast", 1000, 121))))
                    .containsExactly("tiny, fast: committed time 40.0 ms, now 121.0 ms");
        }

        @Test
        void slowerByOneOfTheTwoOnlyPasses() {
            assertThat(QualityBaseline.losses(figures(result("fast", 1000, 1)), figures(result("fast", 1000, 50))))
                    .isEmpty();
            assertThat(QualityBaseline.losses(figures(result("fast", 1000, 400)), figures(result("fast", 1000, 1000))))
                    .isEmpty();
        }
    }

    @Nested
    class Coverage {
        @Test
        void missingStrategyFails() {
            assertThat(QualityBaseline.losses(figures(result("fast", 1050, 1)), figures()))
                    .containsExactly("tiny, fast: not measured; committed ratio 1.05");
        }

        @Test
        void missingProblemFails() {
            assertThat(QualityBaseline.losses(figures(result("fast", 1050, 1)), List.of()))
                    .containsExactly("tiny: not measured; expected its trace in the folder");
        }

        @Test
        void newStrategyAndNewProblemPass() {
            assertThat(QualityBaseline.losses(List.of(), figures(result("fast", 9999, 1))))
                    .isEmpty();
        }

        @Test
        void anotherLowerBoundIsAnotherProblem() {
            assertThat(QualityBaseline.losses(
                            List.of(new PlanFigures("tiny", 3, 999, List.of())), figures(result("fast", 1000, 1))))
                    .containsExactly("tiny: committed lower bound 999 bytes, now 1000: another problem; write a new"
                            + " baseline with --update");
        }
    }
}
