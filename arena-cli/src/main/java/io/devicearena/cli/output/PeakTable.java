package io.devicearena.cli.output;

import io.devicearena.NodeId;
import io.devicearena.cli.input.PlanInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanPeak;
import io.devicearena.plan.PlanResult;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The peak of a plan: the values that are live at the step with the largest load, and their sizes.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class PeakTable {
    private static final int MAX_ROWS = 10;
    private static final int MAX_JSON_VALUES = 1000;

    private final PlanPeak peak;
    private final PlanResult planned;
    private final Map<NodeId, PlanNode> nodes;

    /**
     * Finds the peak.
     *
     * @param input what was planned
     * @param planned the plan
     */
    public PeakTable(PlanInput input, PlanResult planned) {
        this.planned = planned;
        this.peak = PlanPeak.of(planned);
        this.nodes = input.nodes();
    }

    private String name(LiveBuffer value) {
        PlanNode node = nodes.get(value.id());
        return node == null ? Long.toString(value.id().value()) : node.name();
    }

    private String role(LiveBuffer value) {
        PlanNode node = nodes.get(value.id());
        return node == null ? "buffer" : node.role().name().toLowerCase(Locale.ROOT);
    }

    private long bytesFrom(int first) {
        return peak.values().stream().skip(first).mapToLong(LiveBuffer::size).sum();
    }

    /**
     * Writes the field {@code peak}.
     *
     * @param json where it is written
     */
    public void json(JsonFields json) {
        json.put(
                "peak",
                new JsonFields()
                        .put("step", peak.step())
                        .put("bytes", peak.bytes())
                        .put("count", peak.values().size())
                        .put(
                                "values",
                                first(MAX_JSON_VALUES).stream()
                                        .map(this::fields)
                                        .toList())
                        .put("otherBytes", bytesFrom(MAX_JSON_VALUES)));
    }

    private JsonFields fields(LiveBuffer value) {
        return new JsonFields()
                .put("id", value.id().value())
                .put("name", name(value))
                .put("role", role(value))
                .put("size", value.size())
                .put("offset", offset(value))
                .put("lower", value.firstStep())
                .put("upper", value.endStep());
    }

    private long offset(LiveBuffer value) {
        return planned.plan()
                .slot(value.id())
                .orElseThrow(() -> new IllegalStateException(value.id() + ": the plan has no slot for it"))
                .offset();
    }

    private List<LiveBuffer> first(int most) {
        return peak.values().subList(0, Math.min(most, peak.values().size()));
    }

    /**
     * Prints the largest values of the peak; nothing for a plan without values.
     *
     * @param out where they are printed
     */
    public void text(PrintWriter out) {
        if (peak.values().isEmpty()) {
            return;
        }
        PlanSummary.line(
                out,
                "peak",
                "step " + HumanReadable.count(peak.step()) + ", "
                        + HumanReadable.count(peak.values().size(), "value") + " live, "
                        + HumanReadable.bytes(peak.bytes()));
        for (LiveBuffer value : first(MAX_ROWS)) {
            row(
                    out,
                    value.size(),
                    role(value),
                    "[" + value.firstStep() + ", " + value.endStep() + ")",
                    TerminalText.name(name(value)));
        }
        int rest = peak.values().size() - MAX_ROWS;
        if (rest > 0) {
            row(out, bytesFrom(MAX_ROWS), "", "", "the " + HumanReadable.count(rest) + " others");
        }
        roles(out);
    }

    /** The bytes of each role, the largest first; nothing if all values have one role. */
    private void roles(PrintWriter out) {
        Map<String, Long> sums = new TreeMap<>(); // roles with equal sums by name
        peak.values().forEach(value -> sums.merge(role(value), value.size(), Long::sum));
        if (sums.size() > 1) {
            sums.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .forEach(sum -> row(out, sum.getValue(), sum.getKey(), "", "all values of this role"));
        }
    }

    private void row(PrintWriter out, long bytes, String role, String liveRange, String name) {
        out.println(String.format(
                Locale.ROOT,
                "  %,15d %5.1f %%  %-9s  %-16s %s",
                bytes,
                100 * HumanReadable.ratio(bytes, Math.max(1, peak.bytes())),
                role,
                liveRange,
                name));
    }
}
