package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.MemoryPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** The figures of a plan, as {@code run} and {@code plan} both print them. */
final class PlanFigures {
    private PlanFigures() {}

    static void json(PlanResult planned, JsonGenerator json) throws IOException {
        MemoryPlan plan = planned.plan();
        json.writeNumberField("arenaBytes", plan.arenaSize());
        json.writeNumberField("lowerBoundBytes", planned.lowerBoundBytes());
        json.writeNumberField("totalUnsharedBytes", plan.totalUnsharedBytes());
        json.writeNumberField("savedBytes", plan.bytesSaved());
    }

    static void text(PlanResult planned, PlanOptions options, PrintWriter out) {
        MemoryPlan plan = planned.plan();
        line(out, "strategy", strategy(planned, options));
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

    /** For example {@code balanced, alignment 64 bytes}. */
    static String strategy(PlanResult planned, PlanOptions options) {
        return planned.strategy() + ", "
                + (options.alignment() == 1 ? "no alignment" : "alignment " + options.alignment() + " bytes");
    }

    /** How many values lie in others' slots. */
    static long shared(PlanResult planned, SlotAlias.Reason reason) {
        return planned.aliases().stream().filter(pair -> pair.reason() == reason).count();
    }

    /** For example {@code 3 values in place, 2 in a concatenation}. */
    static String shared(PlanResult planned) {
        return Figures.count(shared(planned, SlotAlias.Reason.IN_PLACE), "value") + " in place, "
                + Figures.count(shared(planned, SlotAlias.Reason.CONCATENATION)) + " in a concatenation";
    }

    static void line(PrintWriter out, String name, String value) {
        out.println(String.format(Locale.ROOT, "%-15s %s", name, value));
    }
}
