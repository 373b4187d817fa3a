package io.devicearena.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.internal.ejection.LocalSearch;
import io.devicearena.plan.internal.greedy.EarliestFirst;
import io.devicearena.plan.internal.greedy.FirstFit;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.skyline.SkylinePacker;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.testing.LargeProblems;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Live ranges made to take long: each stage ends with its budget, which grows with the number of buffers. */
class PlacementStepsTest {
    /** Steps for each buffer: so few that many searches end with their budget. */
    private static final long FEW_STEPS = 500;

    /** Steps between two looks at a budget, for each buffer. */
    private static final long OVERDRAFT = 100;

    enum Kind {
        CHAIN {
            @Override
            PlacementProblem of(int n) {
                return problem(n, i -> i, i -> i + 2);
            }
        },
        STAR {
            @Override
            PlacementProblem of(int n) {
                return problem(n, i -> 0, i -> i + 1);
            }
        },
        NEST {
            @Override
            PlacementProblem of(int n) {
                return problem(n, i -> i, i -> 2L * n - i);
            }
        },
        ALL_AT_ONCE {
            @Override
            PlacementProblem of(int n) {
                return problem(n, i -> 0, i -> 1);
            }
        },
        TRAINING {
            @Override
            PlacementProblem of(int n) {
                return LargeProblems.training(n, 1);
            }
        },
        RANDOM {
            @Override
            PlacementProblem of(int n) {
                return LargeProblems.mixed(n, 1);
            }
        },
        OF_ANY_LENGTH {
            @Override
            PlacementProblem of(int n) {
                return LargeProblems.anyLength(n, 1);
            }
        },
        STAGGERED {
            @Override
            PlacementProblem of(int n) {
                return LargeProblems.staggered(n, 1);
            }
        };

        abstract PlacementProblem of(int n);

        interface Step {
            long of(long i);
        }

        static PlacementProblem problem(int n, Step lower, Step upper) {
            return new PlacementProblem(
                    LongStream.range(0, n).map(i -> 1 + i * 7_919 % 1_000).toArray(),
                    LongStream.range(0, n).map(lower::of).toArray(),
                    LongStream.range(0, n).map(upper::of).toArray(),
                    1,
                    0);
        }
    }

    interface Stage {
        void run(LiveRanges ranges, StepBudget budget);
    }

    private static long steps(Kind kind, int n, long budget, Stage stage) {
        long[] spent = {0};
        LiveRanges.place(kind.of(n), ranges -> {
            StepBudget steps = new StepBudget(budget);
            stage.run(ranges, steps);
            spent[0] = budget - steps.left();
            return EarliestFirst.place(ranges);
        });
        return spent[0];
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    void skyline_ofAnyBuffers_endsWithItsBudget(Kind kind) {
        assertWithin(
                kind,
                StrategyTuning.SKYLINE_STEPS_PER_BUFFER,
                (ranges, budget) -> SkylinePacker.place(ranges, StrategyTuning.TIME, budget));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    void firstFit_ofAnyBuffers_endsWithItsBudget(Kind kind) {
        assertWithin(
                kind,
                FEW_STEPS,
                (ranges, budget) -> FirstFit.place(ranges, ranges.highestLoadFirst(), Long.MAX_VALUE / 2, budget));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    void localSearch_ofAnyBuffers_endsWithItsBudget(Kind kind) {
        assertWithin(kind, FEW_STEPS, (ranges, budget) -> {
            long[] placed = EarliestFirst.place(ranges);
            LocalSearch search =
                    new LocalSearch(ranges, placed, ranges.lowerBoundBytes(), StrategyTuning.DESCENTS, 0, budget);
            boolean goesOn = true;
            while (goesOn && !budget.isExhausted()) {
                goesOn = search.advance(1_000);
            }
        });
    }

    /** At n, 2n and 4n buffers; a budget may be overdrawn by a few looks at each buffer. */
    private static void assertWithin(Kind kind, long stepsPerBuffer, Stage stage) {
        for (int n : new int[] {1_000, 2_000, 4_000}) {
            assertThat(steps(kind, n, stepsPerBuffer * n, stage))
                    .as("steps of %s buffers", n)
                    .isBetween(0L, (stepsPerBuffer + OVERDRAFT) * n);
        }
    }
}
