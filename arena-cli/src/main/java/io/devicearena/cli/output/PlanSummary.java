package io.devicearena.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.MemoryPlan;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlannedMemory;
import io.devicearena.plan.SharedSlot;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** The figures of a plan, as {@code run} and {@code plan} both print them. */
public final class PlanSummary {
    private PlanSummary() {}

    public static void json(PlannedMemory planned, JsonGenerator json) throws IOException {
        MemoryPlan plan = planned.plan();
        json.writeNumberField("arenaBytes", plan.arenaSize());
        json.writeNumberField("lowerBoundBytes", planned.lowerBoundBytes());
        json.writeNumberField("totalUnsharedBytes", plan.totalUnsharedBytes());
        json.writeNumberField("savedBytes", plan.bytesSaved());
    }

    public static void text(PlannedMemory planned, PlanOptions options, PrintWriter out) {
        MemoryPlan plan = planned.plan();
        line(out, "strategy", strategy(planned, options));
        line(out, "arena", HumanReadable.bytes(plan.arenaSize()));
        line(out, "total unshared", HumanReadable.bytes(plan.totalUnsharedBytes()));
        line(out, "saved", HumanReadable.bytes(plan.bytesSaved()));
        line(
                out,
                "lower bound",
                String.format(
                        Locale.ROOT,
                        "%s, the arena is %.4f times it",
                        HumanReadable.bytes(planned.lowerBoundBytes()),
                        HumanReadable.ratio(plan.arenaSize(), planned.lowerBoundBytes())));
    }

    /** For example {@code balanced, alignment 64 bytes}. */
    static String strategy(PlannedMemory planned, PlanOptions options) {
        return planned.strategy() + ", "
                + (options.alignment() == 1 ? "no alignment" : "alignment " + options.alignment() + " bytes");
    }

    /** How many values lie in others' slots. */
    public static long shared(PlannedMemory planned, SharedSlot.Reason reason) {
        return planned.shared().stream().filter(pair -> pair.reason() == reason).count();
    }

    /** For example {@code 3 values in place, 2 in a concatenation}. */
    public static String shared(PlannedMemory planned) {
        return HumanReadable.count(shared(planned, SharedSlot.Reason.IN_PLACE), "value") + " in place, "
                + HumanReadable.count(shared(planned, SharedSlot.Reason.CONCATENATION)) + " in a concatenation";
    }

    public static void line(PrintWriter out, String name, String value) {
        out.println(String.format(Locale.ROOT, "%-15s %s", name, value));
    }
}
