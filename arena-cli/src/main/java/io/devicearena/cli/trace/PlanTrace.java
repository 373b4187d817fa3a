package io.devicearena.cli.trace;

import io.devicearena.NodeId;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanNode;
import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongToDoubleFunction;

/**
 * A plan as a timeline: a track for each offset with the live ranges of the values there, and the load as a counter. A
 * step is a microsecond.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class PlanTrace {
    private static final int PROCESS = 1;

    private final PlannedInput planned;

    /**
     * Makes the timeline of a plan.
     *
     * @param planned the plan
     */
    public PlanTrace(PlannedInput planned) {
        this.planned = planned;
    }

    /**
     * Writes the document.
     *
     * @param target where it is written
     * @throws IOException if writing fails
     */
    public void write(Writer target) throws IOException {
        try (TraceDocument document = new TraceDocument(target)) {
            write(document, "a step is 1 µs", step -> step);
        }
    }

    /** Writes the plan by a clock: when each step begins, in microseconds. */
    void write(TraceDocument document, String clock, LongToDoubleFunction begin) throws IOException {
        document.process(PROCESS, "plan of " + planned.input().name() + ", " + clock);
        NavigableMap<Long, Long> changes = new TreeMap<>();
        int track = PROCESS; // so that no track has the number of the process, which viewers take for its main thread
        long offset = -1;
        long end = 0;
        for (LiveBuffer buffer : live()) {
            if (offset(buffer) != offset || buffer.firstStep() < end) {
                offset = offset(buffer);
                document.track(PROCESS, ++track, String.format(Locale.ROOT, "offset %,d", offset));
            }
            end = buffer.endStep();
            double micros = begin.applyAsDouble(buffer.firstStep());
            document.slice(
                    PROCESS,
                    track,
                    planned.name(buffer.id()),
                    micros,
                    begin.applyAsDouble(end) - micros,
                    facts(buffer));
            changes.merge(buffer.firstStep(), buffer.size(), Long::sum);
            changes.merge(buffer.endStep(), -buffer.size(), Long::sum);
        }
        long load = 0;
        for (Map.Entry<Long, Long> change : changes.entrySet()) {
            load += change.getValue();
            document.counter(PROCESS, "load", begin.applyAsDouble(change.getKey()), load);
        }
    }

    /** The buffers that have bytes of their own, by offset and then by time. */
    List<LiveBuffer> live() {
        return planned.result().buffers().stream()
                .filter(buffer -> buffer.size() > 0 && buffer.endStep() > buffer.firstStep())
                .sorted(Comparator.comparingLong(this::offset).thenComparingLong(LiveBuffer::firstStep))
                .toList();
    }

    long offset(LiveBuffer buffer) {
        return planned.slot(buffer.id()).offset();
    }

    /** The name of a value with its op, type and shape. */
    String title(NodeId id) {
        String op = planned.input().graph().map(graph -> graph.op(id)).orElse("");
        Optional<PlanNode> node = planned.input().node(id);
        return TerminalText.name(planned.name(id)
                + (op.isEmpty() ? "" : " " + op)
                + node.map(made -> " " + made.dtype().label() + made.shape()).orElse(""));
    }

    private Map<String, Object> facts(LiveBuffer buffer) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("id", buffer.id().value());
        facts.put("offset", offset(buffer));
        facts.put("bytes", buffer.size());
        facts.put("firstStep", buffer.firstStep());
        facts.put("endStep", buffer.endStep());
        planned.input().node(buffer.id()).ifPresent(node -> {
            facts.put("role", planned.role(buffer.id()));
            facts.put("type", node.dtype().label());
            facts.put("shape", node.shape());
        });
        return facts;
    }
}
