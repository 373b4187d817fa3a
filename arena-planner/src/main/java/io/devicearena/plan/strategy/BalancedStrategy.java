package io.devicearena.plan.strategy;

import io.devicearena.plan.internal.ejection.LocalSearch;
import io.devicearena.plan.internal.greedy.EarliestFirst;
import io.devicearena.plan.internal.greedy.FirstFit;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.skyline.ScoringRule;
import io.devicearena.plan.internal.skyline.SkylinePacker;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The default: a pipeline of stages, each of which gets the best placement so far; it ends when one meets the lower
 * bound. Every stage has a share of one budget of steps, which are counted, not timed, so offsets are the same on every
 * machine.
 */
final class BalancedStrategy {
    /** After best fit in order of time, which never takes long. */
    private static final List<Stage> STAGES = List.of(
            skyline(StrategyTuning.TIME),
            skyline(StrategyTuning.TIME_AND_SIZE),
            BalancedStrategy::firstFit,
            BalancedStrategy::localSearch);

    private BalancedStrategy() {}

    /** One way to a placement, lower than the best or not; empty when it would be no lower or took too many steps. */
    private interface Stage {
        Optional<long[]> place(LiveRanges ranges, long[] best, StepBudget budget);
    }

    static long[] place(LiveRanges ranges, BooleanSupplier cancelled) {
        StepBudget budget = new StepBudget(StrategyTuning.totalSteps(ranges.count()), cancelled);
        long[] best = EarliestFirst.place(ranges);
        for (Stage stage : STAGES) {
            if (ranges.arenaBytes(best) <= ranges.lowerBoundBytes() || budget.isExhausted()) {
                break;
            }
            long[] other = stage.place(ranges, best, budget).orElse(best);
            best = ranges.arenaBytes(other) < ranges.arenaBytes(best) ? other : best;
        }
        return best;
    }

    private static Stage skyline(ScoringRule rule) {
        return (ranges, best, budget) -> {
            StepBudget share = budget.split(StrategyTuning.SKYLINE_STEPS_PER_BUFFER * ranges.count());
            Optional<long[]> placed = SkylinePacker.place(ranges, rule, share);
            budget.merge(share);
            return placed;
        };
    }

    /** What is live where most is live is placed first. */
    private static Optional<long[]> firstFit(LiveRanges ranges, long[] best, StepBudget budget) {
        StepBudget share = budget.split(shareOf(ranges, best, StrategyTuning.FIRST_FIT_SHARE));
        long lower = ranges.arenaBytes(best) - 1;
        Optional<long[]> placed = FirstFit.place(ranges, ranges.highestLoadFirst(), lower, share);
        budget.merge(share);
        return placed;
    }

    private static Optional<long[]> localSearch(LiveRanges ranges, long[] best, StepBudget budget) {
        StepBudget share = budget.split(shareOf(ranges, best, StrategyTuning.LOCAL_SEARCH_SHARE));
        LocalSearch search = new LocalSearch(ranges, best, ranges.lowerBoundBytes(), StrategyTuning.DESCENTS, 0, share);
        boolean goesOn = true;
        while (goesOn && !share.isExhausted()) {
            goesOn = search.advance(StrategyTuning.STEPS_AT_A_TIME);
        }
        return Optional.of(search.offsets());
    }

    /** A part of all steps; less where little is left to gain. */
    private static long shareOf(LiveRanges ranges, long[] best, double part) {
        double gap = ranges.arenaBytes(best) / (double) ranges.lowerBoundBytes() - 1;
        double earned = Math.min(1, gap / StrategyTuning.GAP_THAT_EARNS_ALL_STEPS);
        return (long) (part * earned * StrategyTuning.totalSteps(ranges.count()));
    }
}
