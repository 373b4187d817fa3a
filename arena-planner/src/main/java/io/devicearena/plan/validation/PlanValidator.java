package io.devicearena.plan.validation;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PhasedGraph;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks that a plan is right, by other means than the planner uses.
 *
 * <p>For a graph, the validator simulates the execution: it records which value wrote each byte last, and compares that
 * with what every op reads. It computes no live ranges. An op may be written over an input that it declares as
 * in-place, and an input of a concatenation may lie where the concatenation has the same bytes. For buffers with given
 * live ranges, the validator sweeps over the steps and compares neighbours.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanValidator {
    private PlanValidator() {}

    /**
     * Checks the plan of a graph, in O((n + e) log n) for n nodes with e inputs, where the inputs of a fused op count
     * once for each op that it is fused into.
     *
     * @param plan the plan; its schedule, unless empty, is the order that is executed
     * @param graph the graph
     * @param options the sizing, alignment and boundary that the plan was made with
     * @throws InvalidPlanException if the plan is wrong; the message names the values, their slots and steps
     * @throws InvalidGraphException if the graph cannot be planned
     */
    public static void validate(MemoryPlan plan, PlanGraph graph, PlanOptions options) {
        execute(plan, graph, options);
        requireSegments(plan, options);
    }

    private static void requireSegments(MemoryPlan plan, PlanOptions options) {
        if (options.segmentBytes() > 0) {
            try {
                SegmentLayout.of(plan.slots(), plan.arenaSize(), options.segmentBytes(), options.alignment());
            } catch (IllegalArgumentException e) {
                InvalidPlanException wrong = new InvalidPlanException(String.valueOf(e.getMessage()));
                wrong.initCause(e);
                throw wrong;
            }
        }
    }

    private static void execute(MemoryPlan plan, PlanGraph graph, PlanOptions options) {
        CheckedGraph checked = new CheckedGraph(graph, options);
        CheckedGraph executed = plan.schedule().isEmpty() ? checked : checked.inOrder(plan.schedule());
        new SimulatedExecution(plan, executed.values, options).run();
        if (graph instanceof PhasedGraph phased) {
            FamilyCheck.order(plan, phased, options);
        }
    }

    /**
     * Checks the plan of a graph together with the plan of its separate weights.
     *
     * @param plan the plan, made {@linkplain PlanOptions#withSeparateWeights with separate weights}
     * @param weights the plan of the weights; other graphs may have weights in it too
     * @param graph the graph
     * @param options the sizing, alignment and boundary that the plans were made with
     * @throws InvalidPlanException if a plan is wrong; the message names the values, their slots and steps
     * @throws InvalidGraphException if the graph cannot be planned
     */
    public static void validate(MemoryPlan plan, MemoryPlan weights, PlanGraph graph, PlanOptions options) {
        execute(FamilyCheck.together(weights, plan, graph, options), graph, options);
        requireSegments(plan, options);
        requireSegments(weights, options);
    }

    /**
     * Checks the plans of a family: each graph's like any other plan, with the separate weights if there are; that all
     * have shared values in the same slots, and no others there; and the parts of phases. The plan of a graph with free
     * dimensions is checked at each combination of the bounds of eight of them, and at 24 sizes between.
     *
     * @param family the plans
     * @param graphs the graphs by name, those of the family
     * @throws InvalidPlanException if a plan is wrong; the message names the values, their slots and steps
     * @throws InvalidGraphException if a graph cannot be planned
     */
    public static void validate(FamilyPlan family, Map<String, ? extends PlanGraph> graphs) {
        PlanOptions options = family.options();
        family.members().forEach((name, member) -> {
            MemoryPlan plan = member.plan();
            PlanGraph graph = graphs.get(name);
            if (graph == null) {
                throw new InvalidPlanException("family: expected the graph '" + name + "', got " + graphs.keySet());
            }
            validate(name, plan, graph, family);
            for (Map<String, Long> sizes : SizeSamples.of(graph.dimensions().values())) {
                try {
                    validate(name, family.at(name, sizes).plan(), graph.at(sizes), family);
                } catch (InvalidPlanException e) {
                    throw new InvalidPlanException(name + " at " + sizes + ": " + e.getMessage());
                }
            }
            if (graph instanceof PhasedGraph phased) {
                phased.phases()
                        .keySet()
                        .forEach(phase -> FamilyCheck.phase(phase, family.plan(name, phase), plan, phased, options));
            }
        });
    }

    private static void validate(String name, MemoryPlan plan, PlanGraph graph, FamilyPlan family) {
        FamilyCheck.member(name, plan, family.shared(), graph, family.options());
        if (family.options().separateWeights()) {
            validate(plan, family.weights(), graph, family.options());
        } else {
            validate(plan, graph, family.options());
        }
    }

    /**
     * Checks the plan of buffers with given live ranges, in O(n log n).
     *
     * @param plan the plan
     * @param buffers the buffers
     * @param options the alignment and boundary that the plan was made with; they bind buffers that are live at a step
     * @throws InvalidPlanException if the plan is wrong; the message names the buffers, their slots and live ranges
     */
    public static void validate(MemoryPlan plan, List<LiveBuffer> buffers, PlanOptions options) {
        List<Placed> placed = new ArrayList<>(buffers.size());
        for (LiveBuffer buffer : buffers) {
            BufferSlot slot = plan.slot(buffer.id())
                    .orElseThrow(() -> new InvalidPlanException(
                            buffer.id() + ": expected a slot of " + buffer.size() + " bytes, got none"));
            boolean live = buffer.firstStep() < buffer.endStep();
            // An alias begins where its bytes do, at whatever multiple.
            long alignment = live ? options.alignment() : 1;
            long boundary = live ? options.boundary() : 0;
            SimulatedExecution.checkSlot(buffer.id().toString(), slot, buffer.size(), alignment, boundary);
            placed.add(new Placed(buffer, slot));
        }
        checkOverlaps(placed);
        requireSegments(plan, options);
    }

    /** A buffer and the slot that a plan gives it. */
    private record Placed(LiveBuffer buffer, BufferSlot slot) {
        private String describe() {
            return "offset " + slot.offset() + ", size " + slot.size() + ", live range [" + buffer.firstStep() + ", "
                    + buffer.endStep() + ")";
        }
    }

    /**
     * Checks that no two buffers that are live at one step share a byte: a sweep over the steps keeps the live buffers
     * by offset and compares each that begins with the one live buffer that it must meet if it meets any.
     *
     * <p><b>Source:</b> Shamos and Hoey, "Geometric Intersection Problems", 1976.
     */
    private static void checkOverlaps(List<Placed> placed) {
        List<Placed> begins = new ArrayList<>(placed);
        begins.removeIf(each -> each.slot().size() == 0
                || each.buffer().firstStep() == each.buffer().endStep());
        begins.sort(Comparator.comparingLong(each -> each.buffer().firstStep()));
        List<Placed> ends = new ArrayList<>(begins);
        ends.sort(Comparator.comparingLong(each -> each.buffer().endStep()));
        // No two live buffers have one offset, since those in the map share no byte.
        TreeMap<Long, Placed> live = new TreeMap<>();
        int ended = 0;
        for (Placed begun : begins) {
            while (ends.get(ended).buffer().endStep() <= begun.buffer().firstStep()) {
                live.remove(ends.get(ended++).slot().offset());
            }
            // If the highest live buffer that begins below its end does not reach it, no other one does.
            Map.Entry<Long, Placed> highest = live.lowerEntry(begun.slot().end());
            if (highest != null
                    && highest.getValue().slot().end() > begun.slot().offset()) {
                throw overlapping(highest.getValue(), begun, placed);
            }
            live.put(begun.slot().offset(), begun);
        }
    }

    private static InvalidPlanException overlapping(Placed one, Placed other, List<Placed> order) {
        boolean inOrder = order.indexOf(one) < order.indexOf(other);
        Placed first = inOrder ? one : other;
        Placed second = inOrder ? other : one;
        return new InvalidPlanException(
                first.buffer().id() + " and " + second.buffer().id() + ": expected no byte in common, got "
                        + first.describe() + " and " + second.describe());
    }
}
