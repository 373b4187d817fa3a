package io.devicearena.cli.output;

import io.devicearena.MemoryPlan;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.plan.SlotAlias;
import java.util.Locale;

/**
 * The sizes of a plan, as {@code run} and {@code plan} both print them.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanSummary {
    private PlanSummary() {}

    /**
     * Writes the sizes as fields.
     *
     * @param planned the plan
     * @param json where they are written
     */
    public static void json(PlannedInput planned, JsonFields json) {
        MemoryPlan plan = planned.plan();
        json.put("arenaBytes", plan.arenaSize())
                .put("lowerBoundBytes", planned.result().lowerBoundBytes())
                .put("totalUnsharedBytes", plan.totalUnsharedBytes())
                .put("savedBytes", plan.bytesSaved());
    }

    /**
     * Prints strategy, sizes and segments.
     *
     * @param planned the plan
     * @param segments the segments of the arena
     * @param out where they are printed
     */
    public static void text(PlannedInput planned, SegmentTable segments, TextLines out) {
        MemoryPlan plan = planned.plan();
        out.line("strategy", strategy(planned));
        out.line("arena", HumanReadable.bytes(plan.arenaSize()));
        out.line("total unshared", HumanReadable.bytes(plan.totalUnsharedBytes()));
        out.line("saved", HumanReadable.bytes(plan.bytesSaved()));
        out.line(
                "lower bound",
                String.format(
                        Locale.ROOT,
                        "%s, the arena is %.4f times it",
                        HumanReadable.bytes(planned.result().lowerBoundBytes()),
                        HumanReadable.ratio(plan.arenaSize(), planned.result().lowerBoundBytes())));
        segments.text(out);
    }

    /** For example {@code balanced, alignment 64 bytes}. */
    static String strategy(PlannedInput planned) {
        long alignment = planned.options().alignment();
        return planned.result().strategy() + ", "
                + (alignment == 1 ? "no alignment" : "alignment " + alignment + " bytes");
    }

    /**
     * The number of values that share a slot for a reason.
     *
     * @param planned the plan
     * @param reason the reason
     * @return 0 or more
     */
    public static long shared(PlannedInput planned, SlotAlias.Reason reason) {
        return planned.result().aliases().stream()
                .filter(pair -> pair.reason() == reason)
                .count();
    }

    /**
     * The sharing of a plan, for example {@code 3 values in place, 2 in a concatenation}.
     *
     * @param planned the plan
     * @return the text
     */
    public static String shared(PlannedInput planned) {
        return HumanReadable.count(shared(planned, SlotAlias.Reason.IN_PLACE), "value") + " in place, "
                + HumanReadable.count(shared(planned, SlotAlias.Reason.CONCATENATION)) + " in a concatenation";
    }
}
