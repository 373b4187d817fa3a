package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.size.Dimension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The plans of several graphs that run one at a time in one arena: a model for several sequence lengths or batch sizes,
 * its prefill and its decode step, or a training step and inference.
 *
 * <p>Values of role parameter, constant and state are shared by their ids: each has one slot at the start of the arena.
 * Inputs and all that ops make lie after them, those of one graph over those of the others. So the arena is as large
 * as the largest graph needs it, and a graph finds its inputs and results overwritten once another one has run. Other
 * values than shared ones may have the same id in several graphs.
 *
 * <p>An engine opens the arena with {@link #shared} and a {@linkplain io.devicearena.DeviceArena#view view} for the
 * plan of each graph. Phases of one graph that run one after another, such as those of a training step, are a {@link
 * PhasedGraph}. With {@linkplain PlanOptions#withSeparateWeights separate weights} several such arenas, each with
 * states of its own, use one arena of {@link #weights}.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class FamilyPlan {
    private final PlanOptions options;
    private final SharedLayout layout;
    private final MemoryPlan shared;
    private final Map<String, PlacedGraph> members;
    private final Map<String, PhasedGraph> phased = new LinkedHashMap<>(); // those of the members that have phases

    private FamilyPlan(PlanOptions options, SharedLayout layout, MemoryPlan shared, Map<String, PlacedGraph> members) {
        this.options = options;
        this.layout = layout;
        this.shared = shared;
        this.members = Collections.unmodifiableMap(members);
        members.forEach((name, member) -> requireSegments(name, member.plan()));
    }

    /**
     * {@return the graphs of a table of plans: a graph up to each of some sizes, and last up to its own upper bounds}
     * Each has its bounds as its name, such as {@code tokens=64}. {@link #at(Map)} finds the plan for a size.
     *
     * @param graph a graph with free dimensions
     * @param bounds upper bounds by the names of dimensions; those that are left out are the graph's own
     * @throws IllegalArgumentException if the graph has no such dimension, or a bound is no size of it
     */
    public static Map<String, PlanGraph> table(PlanGraph graph, List<Map<String, Long>> bounds) {
        Map<String, Dimension> dimensions = graph.dimensions();
        List<Map<String, Long>> all = new ArrayList<>(bounds);
        all.add(Map.of());
        Map<String, PlanGraph> table = new LinkedHashMap<>();
        for (Map<String, Long> row : all) {
            if (!dimensions.keySet().containsAll(row.keySet())) {
                throw new IllegalArgumentException(
                        "table: expected dimensions of " + dimensions.keySet() + ", got " + row.keySet());
            }
            String name = dimensions.values().stream()
                    .map(dimension -> dimension.name() + "=" + row.getOrDefault(dimension.name(), dimension.most()))
                    .collect(Collectors.joining(","));
            table.put(name, row.isEmpty() ? graph : graph.upTo(row));
        }
        return table;
    }

    /**
     * {@return the plans of graphs}
     *
     * @param graphs the graphs by name, 1 or more
     * @param options sizing, alignment, strategy and more
     * @throws IllegalArgumentException if there are no graphs
     * @throws InvalidGraphException if a graph cannot be planned, two graphs disagree on a shared value, or a part of a
     *     value that is larger than a segment crosses the end of one
     */
    public static FamilyPlan of(Map<String, ? extends PlanGraph> graphs, PlanOptions options) {
        return of(graphs, options, 0);
    }

    /**
     * {@return the plans of graphs, with room for graphs to come}
     *
     * @param graphs the graphs by name, 1 or more
     * @param options sizing, alignment, strategy and more
     * @param atLeast bytes for what is not shared, 0 or more; the graphs may need more
     * @throws IllegalArgumentException if there are no graphs, or {@code atLeast} is negative
     * @throws InvalidGraphException if a graph cannot be planned, two graphs disagree on a shared value, or a part of a
     *     value that is larger than a segment crosses the end of one
     */
    public static FamilyPlan of(Map<String, ? extends PlanGraph> graphs, PlanOptions options, long atLeast) {
        if (graphs.isEmpty() || atLeast < 0) {
            throw new IllegalArgumentException("family: expected 1 or more graphs and room of 0 or more bytes, got "
                    + graphs.size() + " and " + atLeast);
        }
        Map<String, SlotSizes> sizes = new LinkedHashMap<>();
        graphs.forEach((name, graph) -> sizes.put(name, GraphReader.sizes(graph, options)));
        SharedLayout layout = new SharedLayout(options, true);
        sizes.forEach(layout::add);
        sizes.forEach(layout::requireAgreement);
        Map<String, PlacedGraph> members = new LinkedHashMap<>();
        sizes.forEach((name, read) -> members.put(name, MemoryPlanner.place(read, options, layout)));
        long bytes = Math.addExact(layout.end(), atLeast);
        for (PlacedGraph member : members.values()) {
            bytes = Math.max(bytes, member.plan().arenaSize());
        }
        FamilyPlan family = new FamilyPlan(options, layout, layout.shared(bytes, members.values()), members);
        graphs.forEach(family::keepPhases);
        return family;
    }

    private void keepPhases(String name, PlanGraph graph) {
        if (graph instanceof PhasedGraph phases) {
            phased.put(name, phases);
        }
    }

    /**
     * {@return the family with another graph, in an arena of the same size} The plans of shared values and of the other
     * graphs, and where segments end, stay as they are. So a view of an open arena can be made for it.
     *
     * @param name its name
     * @param graph the graph
     * @throws IllegalArgumentException if the family has a graph of that name
     * @throws InvalidGraphException if the graph cannot be planned, has a shared value that the family has not or
     *     disagrees on one, needs a larger arena, or crosses the end of a segment; the message has the bytes
     */
    public FamilyPlan with(String name, PlanGraph graph) {
        if (members.containsKey(name)) {
            throw new IllegalArgumentException("graph '" + name
                    + "': expected a name that the family does not have, got one of " + members.keySet());
        }
        SlotSizes sizes = GraphReader.sizes(graph, options);
        layout.requireAgreement(name, sizes);
        PlacedGraph member = MemoryPlanner.place(sizes, options, layout);
        if (member.plan().arenaSize() > arenaBytes()) {
            throw new InvalidGraphException("graph '" + name + "': expected to need at most " + arenaBytes()
                    + " bytes, the arena of the family, got " + member.plan().arenaSize()
                    + "; plan the family with more room, or open another arena");
        }
        Map<String, PlacedGraph> more = new LinkedHashMap<>(members);
        more.put(name, member);
        FamilyPlan family = new FamilyPlan(options, layout, shared, more);
        family.phased.putAll(phased);
        family.keepPhases(name, graph);
        return family;
    }

    /** Requires that no value crosses the end of a segment that could hold it. */
    private void requireSegments(String name, MemoryPlan plan) {
        long most = options.segmentBytes();
        if (most == 0) {
            return;
        }
        SegmentLayout segments;
        try {
            segments = SegmentLayout.of(shared.slots(), arenaBytes(), most, options.alignment());
        } catch (IllegalArgumentException e) {
            throw new InvalidGraphException("family: expected shared values that have segments in common, got "
                    + e.getMessage() + "; open an arena for each graph");
        }
        plan.slots().forEach((id, slot) -> {
            int segment = segments.indexOf(slot.offset());
            boolean begins = slot.size() > most && slot.offset() == segments.start(segment);
            if (slot.end() > segments.end(segment) && !begins) {
                throw new InvalidGraphException("graph '" + name + "': expected values within one segment, got "
                        + plan.describe(id) + " at " + slot.offset() + " to " + slot.end()
                        + " across the end of a segment at " + segments.end(segment)
                        + "; make the value that it is a part of no larger than a segment of " + most
                        + " bytes, or open an arena for the graph");
            }
        });
    }

    /**
     * {@return the plan to open the arena with: the shared values alone, in an arena as large as every graph needs it}
     * With {@linkplain PlanOptions#withSegments segments} it also has slots without values, so that segments end where
     * no graph has a value.
     */
    public MemoryPlan shared() {
        return shared;
    }

    /**
     * {@return the plan of parameters, constants and views of them, to open their arena with} Pass that arena to {@link
     * io.devicearena.ArenaOptions#withWeights} when you open an arena for the graphs.
     *
     * @throws IllegalStateException if the options were not {@linkplain PlanOptions#withSeparateWeights with separate
     *     weights}
     */
    public MemoryPlan weights() {
        if (!options.separateWeights()) {
            throw new IllegalStateException("weights: expected a family with separate weights, got one that has them"
                    + " in the arena of the graphs; plan it with PlanOptions.withSeparateWeights()");
        }
        return layout.weights();
    }

    /**
     * {@return the plan of a graph} It is no larger than the arena of the family.
     *
     * @param name its name
     * @throws IllegalArgumentException if the family has no such graph
     */
    public MemoryPlan plan(String name) {
        return require("graph", members, name).plan();
    }

    /**
     * {@return the plan of a graph at some sizes of its free dimensions} Slots begin where they do in the plan at the
     * upper bounds; views and parts of concatenations lie in them where their sizes put them. Make a {@linkplain
     * io.devicearena.DeviceArena#view view} of the arena for it, or call {@link #setActualLengths}.
     *
     * @param name its name
     * @param sizes a size for each dimension
     * @throws IllegalArgumentException if the family has no such graph, or a size is missing or out of its bounds
     * @throws InvalidGraphException if a value crosses the end of a segment at these sizes
     */
    public PlanResult at(String name, Map<String, Long> sizes) {
        PlanResult result = require("graph", members, name).at(sizes);
        requireSegments(name, result.plan());
        return result;
    }

    /**
     * {@return the plan at some sizes of the graph that covers these and needs the smallest arena} Use it for a {@link
     * #table} of plans.
     *
     * @param sizes a size for each dimension
     * @throws IllegalArgumentException if no graph has these dimensions and sizes
     * @throws InvalidGraphException if a value crosses the end of a segment at these sizes
     */
    public PlanResult at(Map<String, Long> sizes) {
        for (String name : members.keySet().stream()
                .sorted(Comparator.comparingLong(each -> plan(each).arenaSize()))
                .toList()) {
            if (require("graph", members, name).covers(sizes)) {
                return at(name, sizes);
            }
        }
        throw new IllegalArgumentException("sizes: expected those of one of the graphs " + members.keySet() + ", got "
                + new TreeMap<>(sizes) + "; plan with larger upper bounds");
    }

    /**
     * Sets the length of every value of a graph to what it has at some sizes, in an arena for the plan of the graph at
     * the upper bounds: one call for all that {@link DeviceArena#setActualLength} does for one.
     *
     * @param arena the arena
     * @param name the name of the graph
     * @param sizes a size for each dimension
     * @throws IllegalArgumentException as {@link #at(String, Map)}; or before any length is set, if a value lies
     *     elsewhere at these sizes, as a part of a concatenation can; the message names it
     * @throws IllegalStateException if the arena is closed
     */
    public void setActualLengths(DeviceArena arena, String name, Map<String, Long> sizes) {
        MemoryPlan plan = at(name, sizes).plan();
        plan.slots().forEach((id, slot) -> {
            BufferSlot there = arena.plan().slot(id).orElse(new BufferSlot(0, 0));
            if (there.offset() != slot.offset() || there.size() < slot.size()) {
                throw new IllegalArgumentException(plan.describe(id) + ": expected " + slot.size() + " bytes at "
                        + slot.offset() + " in the plan of the arena, got " + there.size() + " at " + there.offset()
                        + "; make a view of the arena for the plan at these sizes");
            }
        });
        plan.values().forEach((id, value) -> plan.slot(id).ifPresent(slot -> arena.setActualLength(id, value.bytes())));
    }

    /**
     * {@return the plan of a phase: its part of the plan of its graph}
     *
     * @param name the name of a {@link PhasedGraph}
     * @param phase the name of the phase
     * @throws IllegalArgumentException if the family has no such graph, or the graph no such phase
     */
    public MemoryPlan plan(String name, String phase) {
        PlanGraph graph = require("phase", require("graph", phased, name).phases(), phase);
        return PhasedGraph.cut(plan(name), graph, options.reordering());
    }

    private static <T> T require(String what, Map<String, T> found, String name) {
        @Nullable T value = found.get(Objects.requireNonNull(name, what));
        if (value == null) {
            throw new IllegalArgumentException(what + ": expected one of " + found.keySet() + ", got '" + name + "'");
        }
        return value;
    }

    /** {@return the plans of all graphs with what they were made from, by name, in the order they were added} */
    public Map<String, PlanResult> members() {
        Map<String, PlanResult> results = new LinkedHashMap<>();
        members.forEach((name, member) -> results.put(name, member.result()));
        return Collections.unmodifiableMap(results);
    }

    /** {@return the options of the plans} */
    public PlanOptions options() {
        return options;
    }

    /** {@return the size of the arena in bytes} */
    public long arenaBytes() {
        return shared.arenaSize();
    }

    /** {@return the size of the shared values in the arena, in bytes; separate weights do not count} */
    public long sharedBytes() {
        return layout.end();
    }
}
