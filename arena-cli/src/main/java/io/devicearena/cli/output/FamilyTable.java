package io.devicearena.cli.output;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.cli.input.FamilyInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The sizes of several graphs in one arena.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param input the graphs
 * @param family their plans
 */
public record FamilyTable(FamilyInput input, FamilyPlan family) {
    /**
     * Writes sizes, segments and the list {@code members}.
     *
     * @param json where they are written
     */
    public void json(JsonFields json) {
        json.put("arenaBytes", family.arenaBytes())
                .put("sharedBytes", family.sharedBytes())
                .put("separateBytes", separateBytes())
                .put("lowerBoundBytes", lowerBoundBytes());
        segments().json(json);
        List<JsonFields> members = new ArrayList<>();
        input.members().forEach((name, graph) -> {
            PlanResult planned = planned(name);
            members.add(new JsonFields()
                    .put("name", name)
                    .put("ownBytes", ownBytes(planned))
                    .put("lowerBoundBytes", planned.lowerBoundBytes())
                    .put("buffers", graph.count())
                    .put("reordered", graph.isReordered(planned)));
        });
        json.put("members", members);
    }

    /**
     * Prints the sizes of the arena, and a row for each graph.
     *
     * @param out where they are printed
     */
    public void text(PrintWriter out) {
        PlanResult first = family.members().values().iterator().next();
        PlanSummary.line(out, "input", HumanReadable.count(input.members().size(), "graph"));
        PlanSummary.line(out, "strategy", PlanSummary.strategy(first, family.options()));
        PlanSummary.line(out, "arena", HumanReadable.bytes(family.arenaBytes()));
        PlanSummary.line(out, "shared", HumanReadable.bytes(family.sharedBytes()));
        PlanSummary.line(out, "separate arenas", HumanReadable.bytes(separateBytes()) + " in all");
        PlanSummary.line(out, "lower bound", HumanReadable.bytes(lowerBoundBytes()));
        segments().text(out);
        out.println();
        out.println(String.format(Locale.ROOT, "%15s %15s  %s", "own bytes", "lower bound", "graph"));
        input.members()
                .forEach((name, graph) -> out.println(String.format(
                        Locale.ROOT,
                        "%,15d %,15d  %s, %s",
                        ownBytes(planned(name)),
                        Math.max(0, planned(name).lowerBoundBytes() - sharedBytes(planned(name))),
                        TerminalText.name(name),
                        HumanReadable.count(graph.count(), "value"))));
    }

    /**
     * The segments of the arena.
     *
     * @return those of the plan that opens it
     */
    public SegmentTable segments() {
        return SegmentTable.of(family.shared(), family.options());
    }

    PlanResult planned(String name) {
        return Objects.requireNonNull(family.members().get(name), name);
    }

    /** What a graph needs behind the shared values. */
    private long ownBytes(PlanResult planned) {
        return planned.plan().arenaSize() - family.sharedBytes();
    }

    /** What the shared values of a graph take. */
    private static long sharedBytes(PlanResult planned) {
        return planned.plan().values().entrySet().stream()
                .filter(value -> value.getValue().role().isShared()
                        && value.getValue().partOf().isEmpty())
                .mapToLong(value -> slotBytes(planned, value.getKey()))
                .sum();
    }

    private static long slotBytes(PlanResult planned, NodeId id) {
        return planned.plan().slot(id).map(BufferSlot::size).orElse(0L);
    }

    /** What the graphs would take in an arena each. */
    private long separateBytes() {
        return family.members().values().stream()
                .mapToLong(planned -> sharedBytes(planned) + ownBytes(planned))
                .sum();
    }

    private long lowerBoundBytes() {
        return family.members().values().stream()
                .mapToLong(planned -> family.sharedBytes() + planned.lowerBoundBytes() - sharedBytes(planned))
                .max()
                .orElse(0);
    }
}
