package io.devicearena.diagnostics.internal.checks;

import io.devicearena.spi.observation.CheckedRange;
import io.devicearena.spi.observation.CheckedStep;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A step with the values that it reads and writes. Threads: immutable.
 *
 * @param facts what the step says of itself
 * @param reads the bytes that it reads
 * @param writes the bytes that it writes
 * @param loads those of {@code writes} that a kernel may read too
 */
record ValueStep(CheckedStep facts, List<ValueRange> reads, List<ValueRange> writes, List<ValueRange> loads) {
    static ValueStep of(CheckedStep step) {
        return new ValueStep(step, ranges(step.reads()), ranges(step.writes()), ranges(step.loads()));
    }

    private static List<ValueRange> ranges(List<CheckedRange> ranges) {
        return ranges.stream().map(PlanChecks::resolve).toList();
    }

    String label() {
        return facts.label();
    }

    /** The name of the step in messages. */
    String subject() {
        return "step '" + label() + "'";
    }

    /** Whether it reads values that steps make in each run, as far as it names them. */
    boolean readsComputed() {
        return !facts.namesReads()
                || reads.stream().anyMatch(read -> read.value().isMade());
    }

    /** The values that it writes, by their plans. */
    Map<CheckedPlan, List<CheckedValue>> writtenByPlan() {
        return written().stream()
                .collect(Collectors.groupingBy(CheckedValue::plan, LinkedHashMap::new, Collectors.toList()));
    }

    /** Whether it is the first one of a run, or comes behind the end of one. */
    boolean isFirst() {
        return writtenByPlan().entrySet().stream()
                .anyMatch(made -> made.getKey().isAtEnd() || made.getKey().beginsRun(made.getValue(), readsComputed()));
    }

    /** The values that it writes, each once. */
    List<CheckedValue> written() {
        return writes.stream().map(ValueRange::value).distinct().toList();
    }
}
