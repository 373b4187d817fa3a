package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanPeak;
import io.devicearena.plan.PlanResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Explains a plan's peak: which values are live at the worst step, and what each costs. */
final class PeakTable {
    private static final int MOST_ROWS = 10;
    private static final int MOST_IN_JSON = 1000;

    private final PlanPeak peak;
    private final PlanResult planned;
    private final Map<NodeId, FileNode> nodes = new HashMap<>();

    PeakTable(Input input, PlanResult planned) {
        this.planned = planned;
        this.peak = PlanPeak.of(planned);
        input.graph().ifPresent(graph -> graph.nodes().forEach(node -> nodes.put(node.id(), node)));
    }

    private String name(LiveBuffer value) {
        FileNode node = nodes.get(value.id());
        return node == null ? Long.toString(value.id().value()) : node.name();
    }

    private String role(LiveBuffer value) {
        FileNode node = nodes.get(value.id());
        return node == null ? "buffer" : node.role().name().toLowerCase(Locale.ROOT);
    }

    private long bytesFrom(int first) {
        return peak.values().stream().skip(first).mapToLong(LiveBuffer::size).sum();
    }

    void json(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("peak");
        json.writeNumberField("step", peak.step());
        json.writeNumberField("bytes", peak.bytes());
        json.writeNumberField("count", peak.values().size());
        json.writeArrayFieldStart("values");
        for (LiveBuffer value : first(MOST_IN_JSON)) {
            json.writeStartObject();
            json.writeNumberField("id", value.id().value());
            json.writeStringField("name", name(value));
            json.writeStringField("role", role(value));
            json.writeNumberField("size", value.size());
            json.writeNumberField("offset", offset(value));
            json.writeNumberField("lower", value.firstStep());
            json.writeNumberField("upper", value.endStep());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeNumberField("otherBytes", bytesFrom(MOST_IN_JSON));
        json.writeEndObject();
    }

    private long offset(LiveBuffer value) {
        return planned.plan()
                .slot(value.id())
                .orElseThrow(() -> new IllegalStateException(value.id() + ": the plan gave it no slot"))
                .offset();
    }

    private List<LiveBuffer> first(int most) {
        return peak.values().subList(0, Math.min(most, peak.values().size()));
    }

    void text(PrintWriter out) {
        if (peak.values().isEmpty()) {
            return;
        }
        PlanFigures.line(
                out,
                "peak",
                "step " + Figures.count(peak.step()) + ", "
                        + Figures.count(peak.values().size(), "value") + " live, " + Figures.bytes(peak.bytes()));
        for (LiveBuffer value : first(MOST_ROWS)) {
            row(
                    out,
                    value.size(),
                    role(value),
                    "[" + value.firstStep() + ", " + value.endStep() + ")",
                    Shown.name(name(value)));
        }
        int rest = peak.values().size() - MOST_ROWS;
        if (rest > 0) {
            row(out, bytesFrom(MOST_ROWS), "", "", "the " + Figures.count(rest) + " others");
        }
        roles(out);
    }

    /** What the values of each role take together, the most first; nothing where all are of one role. */
    private void roles(PrintWriter out) {
        Map<String, Long> sums = new TreeMap<>(); // roles of the same sum by name
        peak.values().forEach(value -> sums.merge(role(value), value.size(), Long::sum));
        if (sums.size() > 1) {
            sums.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .forEach(sum -> row(out, sum.getValue(), sum.getKey(), "", "all of this role"));
        }
    }

    private void row(PrintWriter out, long bytes, String role, String life, String name) {
        out.println(String.format(
                Locale.ROOT,
                "  %,15d %5.1f %%  %-9s  %-16s %s",
                bytes,
                100 * Figures.ratio(bytes, Math.max(1, peak.bytes())),
                role,
                life,
                name));
    }
}
