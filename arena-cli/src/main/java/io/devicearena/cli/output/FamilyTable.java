package io.devicearena.cli.output;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.cli.input.FamilyInput;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.FamilyPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

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
            PlannedInput planned = planned(name);
            members.add(new JsonFields()
                    .put("name", name)
                    .put("ownBytes", ownBytes(planned))
                    .put("lowerBoundBytes", planned.result().lowerBoundBytes())
                    .put("buffers", graph.count())
                    .put("reordered", planned.isReordered()));
        });
        json.put("members", members);
    }

    /**
     * Prints the sizes of the arena, and a row for each graph.
     *
     * @param out where they are printed
     */
    public void text(TextLines out) {
        String first = input.members().keySet().iterator().next();
        out.line("input", HumanReadable.count(input.members().size(), "graph"));
        out.line("strategy", PlanSummary.strategy(planned(first)));
        out.line("arena", HumanReadable.bytes(family.arenaBytes()));
        out.line("shared", HumanReadable.bytes(family.sharedBytes()));
        out.line("separate arenas", HumanReadable.bytes(separateBytes()) + " in all");
        out.line("lower bound", HumanReadable.bytes(lowerBoundBytes()));
        segments().text(out);
        out.println();
        out.printf(Locale.ROOT, "%15s %15s  %s%n", "own bytes", "lower bound", "graph");
        input.members()
                .forEach((name, graph) -> out.printf(
                        Locale.ROOT,
                        "%,15d %,15d  %s, %s%n",
                        ownBytes(planned(name)),
                        Math.max(0, planned(name).result().lowerBoundBytes() - sharedBytes(planned(name))),
                        TerminalText.name(name),
                        HumanReadable.count(graph.count(), "value")));
    }

    /**
     * The segments of the arena.
     *
     * @return those of the plan that opens it
     */
    public SegmentTable segments() {
        return SegmentTable.of(family.shared(), family.options());
    }

    PlannedInput planned(String name) {
        return new PlannedInput(
                Objects.requireNonNull(input.members().get(name), name),
                family.options(),
                Objects.requireNonNull(family.members().get(name), name));
    }

    private Stream<PlannedInput> members() {
        return input.members().keySet().stream().map(this::planned);
    }

    /** What a graph needs behind the shared values. */
    private long ownBytes(PlannedInput planned) {
        return planned.plan().arenaSize() - family.sharedBytes();
    }

    /** What the shared values of a graph take. */
    private static long sharedBytes(PlannedInput planned) {
        return planned.plan().values().entrySet().stream()
                .filter(value -> value.getValue().role().isShared()
                        && value.getValue().partOf().isEmpty())
                .mapToLong(value -> slotBytes(planned, value.getKey()))
                .sum();
    }

    private static long slotBytes(PlannedInput planned, NodeId id) {
        return planned.plan().slot(id).map(BufferSlot::size).orElse(0L);
    }

    /** What the graphs would take in an arena each. */
    private long separateBytes() {
        return members()
                .mapToLong(planned -> sharedBytes(planned) + ownBytes(planned))
                .sum();
    }

    private long lowerBoundBytes() {
        return members()
                .mapToLong(planned -> family.sharedBytes() + planned.result().lowerBoundBytes() - sharedBytes(planned))
                .max()
                .orElse(0);
    }
}
