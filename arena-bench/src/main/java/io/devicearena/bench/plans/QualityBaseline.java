package io.devicearena.bench.plans;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The comparison with committed figures.
 *
 * <p>A ratio may not get worse at all where a strategy gives the same bytes on every machine. Times depend on the
 * machine, so only one that is both {@value #SLOWER_TIMES} times and {@value #SLOWER_MILLIS} ms over the committed time
 * is a loss.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class QualityBaseline {
    /** For searches, which another machine's time limit or threads may end at another point. */
    private static final double SEARCH_TOLERANCE = 0.005;

    private static final int SLOWER_TIMES = 3;
    private static final int SLOWER_MILLIS = 50;

    private QualityBaseline() {}

    /**
     * Compares figures.
     *
     * @param committed the figures of the baseline
     * @param measured the figures of now; further problems and strategies have no effect
     * @return a line for each loss: problem, strategy, the committed value and the value now; empty when all is as good
     */
    static List<String> losses(List<PlanFigures> committed, List<PlanFigures> measured) {
        List<String> losses = new ArrayList<>();
        for (PlanFigures before : committed) {
            Optional<PlanFigures> now = measured.stream()
                    .filter(figures -> figures.problem().equals(before.problem()))
                    .findFirst();
            if (now.isEmpty()) {
                losses.add(before.problem() + ": not measured; expected its trace in the folder");
            } else if (now.get().lowerBoundBytes() != before.lowerBoundBytes()) {
                losses.add(before.problem() + ": committed lower bound " + before.lowerBoundBytes() + " bytes, now "
                        + now.get().lowerBoundBytes() + ": another problem; write a new baseline with --update");
            } else {
                before.strategies().forEach(result -> compare(before, result, now.get(), losses));
            }
        }
        return losses;
    }

    private static void compare(
            PlanFigures committed, PlanFigures.Result before, PlanFigures measured, List<String> losses) {
        String subject = committed.problem() + ", " + before.strategy() + ": ";
        Optional<PlanFigures.Result> found = measured.strategies().stream()
                .filter(result -> result.strategy().equals(before.strategy()))
                .findFirst();
        if (found.isEmpty()) {
            losses.add(subject + "not measured; committed ratio " + committed.ratio(before));
            return;
        }
        PlanFigures.Result now = found.get();
        double ratioBefore = committed.ratio(before);
        double ratioNow = measured.ratio(now);
        double tolerance = MeasuredStrategies.isDeterministic(before.strategy()) ? 0 : SEARCH_TOLERANCE;
        if (ratioNow > ratioBefore * (1 + tolerance)) {
            losses.add(subject + String.format(Locale.ROOT, "committed ratio %.6f, now %.6f", ratioBefore, ratioNow));
        }
        if (now.millis() > before.millis() * SLOWER_TIMES && now.millis() > before.millis() + SLOWER_MILLIS) {
            losses.add(subject
                    + String.format(Locale.ROOT, "committed time %.1f ms, now %.1f ms", before.millis(), now.millis()));
        }
    }
}
