package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.SegmentLayout;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The plans of several graphs that run one at a time in one arena: a model for several sequence lengths or batch sizes,
 * or its prefill and its decode step.
 *
 * <p>Values of role parameter, constant and state are shared by their ids: each has one slot at the start of the arena.
 * Inputs and all that ops make lie behind them, those of one graph over those of the others. So the arena is as large
 * as the largest graph needs it, and a graph finds its inputs and results overwritten once another one has run. Other
 * values than shared ones may have the same id in several graphs.
 *
 * <p>An engine opens the arena with {@link #shared} and a {@linkplain io.devicearena.DeviceArena#view view} for the
 * plan
 * of each graph. A training step is one graph of a family: {@link TrainingPlan#joined}.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class FamilyPlan {
    private final PlanOptions options; // with the layout of the shared values
    private final long arenaBytes;
    private final long sharedBytes;
    private final Map<String, PlanResult> members;
    private final MemoryPlan shared;

    private FamilyPlan(PlanOptions options, long arenaBytes, long sharedBytes, Map<String, PlanResult> members) {
        this.options = options;
        this.arenaBytes = arenaBytes;
        this.sharedBytes = sharedBytes;
        this.members = Collections.unmodifiableMap(members);
        this.shared = sharedPlan();
    }

    /**
     * {@return the plans of graphs}
     *
     * @param graphs the graphs by name, 1 or more
     * @param options sizing, alignment, strategy and more; the family makes the layout of the shared values
     * @throws IllegalArgumentException if there are no graphs
     * @throws InvalidGraphException if a graph cannot be planned, two graphs disagree on a shared value, or the values
     *     of all graphs have no segments in common
     */
    public static FamilyPlan of(Map<String, ? extends PlanGraph> graphs, PlanOptions options) {
        return of(graphs, options, 0);
    }

    /**
     * {@return the plans of graphs, with room for graphs to come}
     *
     * @param graphs the graphs by name, 1 or more
     * @param options sizing, alignment, strategy and more; the family makes the layout of the shared values
     * @param atLeast bytes for what is not shared, 0 or more; the graphs may need more
     * @throws IllegalArgumentException if there are no graphs, or {@code atLeast} is negative
     * @throws InvalidGraphException if a graph cannot be planned, two graphs disagree on a shared value, or the values
     *     of all graphs have no segments in common
     */
    public static FamilyPlan of(Map<String, ? extends PlanGraph> graphs, PlanOptions options, long atLeast) {
        if (graphs.isEmpty() || atLeast < 0) {
            throw new IllegalArgumentException("family: expected 1 or more graphs and room of 0 or more bytes, got "
                    + graphs.size() + " and " + atLeast);
        }
        WeightLayout layout = WeightLayout.of(List.copyOf(graphs.values()), options);
        PlanOptions common = options.withWeights(layout);
        Map<String, PlanResult> planned = new LinkedHashMap<>();
        long bytes = Math.addExact(layout.sizeBytes(), atLeast);
        for (Map.Entry<String, ? extends PlanGraph> graph : graphs.entrySet()) {
            PlanResult result = MemoryPlanner.plan(graph.getValue(), common);
            requireAgreement(planned, graph.getKey(), result.plan());
            planned.put(graph.getKey(), result);
            bytes = Math.max(bytes, result.plan().arenaSize());
        }
        for (Map.Entry<String, PlanResult> member : planned.entrySet()) {
            member.setValue(sized(member.getValue(), bytes));
        }
        return new FamilyPlan(common, bytes, layout.sizeBytes(), planned);
    }

    /**
     * {@return the family with another graph, in an arena of the same size} Shared values and the plans of the other
     * graphs stay as they are, so a view of an open arena can be made for it.
     *
     * @param name its name
     * @param graph the graph
     * @throws IllegalArgumentException if the family has a graph of that name
     * @throws InvalidGraphException if the graph cannot be planned, has a shared value that the family has not or
     *     disagrees on one, or needs a larger arena; the message has the bytes
     */
    public FamilyPlan with(String name, PlanGraph graph) {
        if (members.containsKey(name)) {
            throw new IllegalArgumentException("graph '" + name
                    + "': expected a name that the family does not have, got one of " + members.keySet());
        }
        PlanResult result = MemoryPlanner.plan(graph, options);
        requireAgreement(members, name, result.plan());
        result.plan().values().forEach((id, value) -> {
            if (value.role().isShared() && !shared.values().containsKey(id)) {
                throw new InvalidGraphException("graph '" + name + "': expected shared values that the family has, got "
                        + result.plan().describe(id) + " of role " + value.role() + "; plan all graphs anew");
            }
        });
        if (result.plan().arenaSize() > arenaBytes) {
            throw new InvalidGraphException("graph '" + name + "': expected to need at most " + arenaBytes
                    + " bytes, the arena of the family, got " + result.plan().arenaSize()
                    + "; plan the family with more room, or open another arena");
        }
        Map<String, PlanResult> more = new LinkedHashMap<>(members);
        more.put(name, sized(result, arenaBytes));
        return new FamilyPlan(options, arenaBytes, sharedBytes, more);
    }

    private static void requireAgreement(Map<String, PlanResult> others, String name, MemoryPlan plan) {
        others.forEach((other, result) -> plan.values()
                .forEach((id, value) -> result.plan()
                        .value(id)
                        .filter(there -> value.role().isShared() || there.role().isShared())
                        .filter(there -> !isSame(value, there)
                                || !plan.slot(id).equals(result.plan().slot(id)))
                        .ifPresent(there -> {
                            throw new InvalidGraphException(
                                    plan.describe(id) + ": expected one value in all graphs, got " + describe(there)
                                            + " in '" + other + "' and " + describe(value) + " in '" + name + "'");
                        })));
    }

    private static boolean isSame(PlanValue one, PlanValue other) {
        return one.role() == other.role() && one.dtype() == other.dtype() && one.elements() == other.elements();
    }

    private static String describe(PlanValue value) {
        return value.elements() + " elements of " + value.dtype().label() + ", role " + value.role();
    }

    private static PlanResult sized(PlanResult result, long bytes) {
        MemoryPlan plan = result.plan();
        return new PlanResult(
                new MemoryPlan(bytes, plan.slots(), plan.schedule(), plan.values()),
                result.buffers(),
                result.lowerBoundBytes(),
                result.strategy(),
                result.aliases());
    }

    private MemoryPlan sharedPlan() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (PlanResult member : members.values()) {
            member.plan().values().forEach((id, value) -> {
                if (value.role().isShared()) {
                    values.put(id, value);
                    member.plan().slot(id).ifPresent(slot -> slots.put(id, slot));
                }
            });
        }
        if (options.segmentBytes() > 0 && arenaBytes > options.segmentBytes()) {
            reserveOwnSlots(slots);
        }
        return new MemoryPlan(arenaBytes, slots, List.of(), values);
    }

    /** Adds the slots of what is not shared under numbers of their own, so that segments end between them. */
    private void reserveOwnSlots(Map<NodeId, BufferSlot> slots) {
        long next = 1
                + members.values().stream()
                        .flatMap(member -> member.plan().values().keySet().stream())
                        .mapToLong(NodeId::value)
                        .max()
                        .orElse(0);
        for (PlanResult member : members.values()) {
            for (Map.Entry<NodeId, BufferSlot> own : member.plan().slots().entrySet()) {
                if (!slots.containsKey(own.getKey()) || !own.getValue().equals(slots.get(own.getKey()))) {
                    slots.put(NodeId.of(next++), own.getValue());
                }
            }
        }
        if (!SegmentLayout.exists(slots, arenaBytes, options.segmentBytes(), options.alignment())) {
            throw new InvalidGraphException("family: expected graphs whose values have segments of "
                    + options.segmentBytes() + " bytes in common, got " + members.keySet() + " in " + arenaBytes
                    + " bytes; plan with withBoundary, or open an arena for each graph");
        }
    }

    /**
     * {@return the plan to open the arena with: the shared values alone, in an arena as large as every graph needs} In
     * several segments it also has slots without values, those of the graphs, so that segments end between them.
     */
    public MemoryPlan shared() {
        return shared;
    }

    /**
     * {@return the plan of a graph}
     *
     * @param name its name
     * @throws IllegalArgumentException if the family has no such graph
     */
    public MemoryPlan plan(String name) {
        PlanResult member = members.get(Objects.requireNonNull(name, "name"));
        if (member == null) {
            throw new IllegalArgumentException("graph: expected one of " + members.keySet() + ", got '" + name + "'");
        }
        return member.plan();
    }

    /** {@return the plans of all graphs with what they were made from, by name, in the order they were added} */
    public Map<String, PlanResult> members() {
        return members;
    }

    /** {@return the options of the plans, with the layout of the shared values} */
    public PlanOptions options() {
        return options;
    }

    /** {@return the size of the arena in bytes} */
    public long arenaBytes() {
        return arenaBytes;
    }

    /** {@return the size of the shared values in bytes} */
    public long sharedBytes() {
        return sharedBytes;
    }
}
