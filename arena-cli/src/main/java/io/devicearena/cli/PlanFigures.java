package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.MemoryPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlannedMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** The figures of a plan, as {@code run} and {@code plan} both print them. */
final class PlanFigures {
    private PlanFigures() {}

    static void json(PlannedMemory planned, JsonGenerator json) throws IOException {
        MemoryPlan plan = planned.plan();
        json.writeNumberField("arenaBytes", plan.arenaSize());
        json.writeNumberField("lowerBoundBytes", planned.lowerBoundBytes());
        json.writeNumberField("totalUnsharedBytes", plan.totalUnsharedBytes());
        json.writeNumberField("savedBytes", plan.bytesSaved());
    }

    static void text(PlannedMemory planned, PlanOptions options, PrintWriter out) {
        MemoryPlan plan = planned.plan();
        String align = options.alignment() == 1 ? "no alignment" : "alignment " + options.alignment() + " bytes";
        line(out, "strategy", planned.strategy() + ", " + align);
        line(out, "arena", Figures.bytes(plan.arenaSize()));
        line(out, "total unshared", Figures.bytes(plan.totalUnsharedBytes()));
        line(out, "saved", Figures.bytes(plan.bytesSaved()));
        line(
                out,
                "lower bound",
                String.format(
                        Locale.ROOT,
                        "%s, the arena is %.4f times it",
                        Figures.bytes(planned.lowerBoundBytes()),
                        Figures.ratio(plan.arenaSize(), planned.lowerBoundBytes())));
    }

    static void line(PrintWriter out, String name, String value) {
        out.println(String.format(Locale.ROOT, "%-15s %s", name, value));
    }
}
