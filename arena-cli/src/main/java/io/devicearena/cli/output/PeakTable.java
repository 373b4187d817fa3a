package io.devicearena.cli.output;

import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanPeak;
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
    private final PlannedInput planned;

    /**
     * Finds the peak.
     *
     * @param planned the plan
     */
    public PeakTable(PlannedInput planned) {
        this.planned = planned;
        this.peak = PlanPeak.of(planned.result());
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
                .put("name", planned.name(value.id()))
                .put("role", planned.role(value.id()))
                .put("size", value.size())
                .put("offset", planned.slot(value.id()).offset())
                .put("lower", value.firstStep())
                .put("upper", value.endStep());
    }

    private List<LiveBuffer> first(int most) {
        return peak.values().subList(0, Math.min(most, peak.values().size()));
    }

    /**
     * Prints the largest values of the peak; nothing for a plan without values.
     *
     * @param out where they are printed
     */
    public void text(TextLines out) {
        if (peak.values().isEmpty()) {
            return;
        }
        out.line(
                "peak",
                "step " + HumanReadable.count(peak.step()) + ", "
                        + HumanReadable.count(peak.values().size(), "value") + " live, "
                        + HumanReadable.bytes(peak.bytes()));
        for (LiveBuffer value : first(MAX_ROWS)) {
            row(
                    out,
                    value.size(),
                    planned.role(value.id()),
                    "[" + value.firstStep() + ", " + value.endStep() + ")",
                    TerminalText.name(planned.name(value.id())));
        }
        int rest = peak.values().size() - MAX_ROWS;
        if (rest > 0) {
            row(out, bytesFrom(MAX_ROWS), "", "", "the " + HumanReadable.count(rest) + " others");
        }
        roles(out);
    }

    /** The bytes of each role, the largest first; nothing if all values have one role. */
    private void roles(TextLines out) {
        Map<String, Long> sums = new TreeMap<>(); // roles with equal sums by name
        peak.values().forEach(value -> sums.merge(planned.role(value.id()), value.size(), Long::sum));
        if (sums.size() > 1) {
            sums.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .forEach(sum -> row(out, sum.getValue(), sum.getKey(), "", "all values of this role"));
        }
    }

    private void row(TextLines out, long bytes, String role, String liveRange, String name) {
        out.printf(
                Locale.ROOT,
                "  %,15d %5.1f %%  %-9s  %-16s %s%n",
                bytes,
                100 * HumanReadable.ratio(bytes, Math.max(1, peak.bytes())),
                role,
                liveRange,
                name);
    }
}
