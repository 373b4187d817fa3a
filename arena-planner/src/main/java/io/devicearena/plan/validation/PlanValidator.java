package io.devicearena.plan.validation;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.TrainingPlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        validate(plan, List.copyOf(graph.nodes()), graph.outputs(), options);
    }

    private static void validate(
            MemoryPlan plan, List<PlanNode> nodes, Collection<NodeId> outputs, PlanOptions options) {
        List<GraphValue> given = CheckedGraph.read(nodes, outputs, options);
        boolean inOrder = plan.schedule().isEmpty()
                || plan.schedule().equals(given.stream().map(value -> value.id).toList());
        SimulatedExecution.run(plan, inOrder ? given : scheduled(plan, nodes, outputs, options), options);
    }

    /** The graph in the order of the plan's schedule, which must be another order of the same nodes. */
    private static List<GraphValue> scheduled(
            MemoryPlan plan, Collection<? extends PlanNode> nodes, Collection<NodeId> outputs, PlanOptions options) {
        Map<NodeId, PlanNode> byId = new HashMap<>();
        nodes.forEach(node -> byId.put(node.id(), node));
        List<PlanNode> ordered = new ArrayList<>();
        for (NodeId id : plan.schedule()) {
            PlanNode node = byId.get(id);
            if (node == null) {
                throw new InvalidPlanException("schedule: expected nodes of the graph, got " + id);
            }
            ordered.add(node);
        }
        if (ordered.size() < byId.size()) {
            throw new InvalidPlanException(
                    "schedule: expected all " + byId.size() + " nodes of the graph, got " + ordered.size());
        }
        try {
            return CheckedGraph.read(ordered, outputs, options);
        } catch (InvalidGraphException e) {
            throw new InvalidPlanException("schedule: expected an order in which the graph can run; " + e.getMessage());
        }
    }

    /**
     * Checks the plans of a training step together: the plan of both graphs in a row as
     * {@link #validate(MemoryPlan, PlanGraph, PlanOptions)} does, and that the forward and the backward plan have the
     * same slots as it, and its order.
     *
     * @param plan the plans
     * @param forward the forward graph
     * @param backward the backward graph
     * @param options the sizing, alignment and boundary that the plans were made with
     * @throws InvalidPlanException if a plan is wrong; the message names the values, their slots and steps
     * @throws InvalidGraphException if the graphs cannot be planned together
     */
    public static void validate(TrainingPlan plan, PlanGraph forward, PlanGraph backward, PlanOptions options) {
        MemoryPlan whole = plan.whole().plan();
        TrainingStep step = TrainingStep.of(forward, backward, options);
        validate(whole, step.nodes(), step.outputs(), options);
        validate(whole, plan.whole().buffers(), options);
        checkCut("forward", plan.forward(), forward, whole, options);
        checkCut("backward", plan.backward(), backward, whole, options);
        step.checkOrder(whole.schedule());
    }

    private static void checkCut(String name, MemoryPlan cut, PlanGraph graph, MemoryPlan whole, PlanOptions options) {
        if (cut.arenaSize() != whole.arenaSize()) {
            throw new InvalidPlanException(name + ": expected an arena of " + whole.arenaSize()
                    + " bytes as the whole plan has, got " + cut.arenaSize());
        }
        scheduled(cut, graph.nodes(), graph.outputs(), options);
        for (PlanNode node : graph.nodes()) {
            if (!cut.slot(node.id()).equals(whole.slot(node.id()))) {
                throw new InvalidPlanException(name + ": expected " + node.id() + " in the slot of the whole plan, "
                        + describe(whole, node.id()) + ", got " + describe(cut, node.id()));
            }
        }
        if (!TrainingStep.made(graph, cut.schedule()).equals(TrainingStep.made(graph, whole.schedule()))) {
            throw new InvalidPlanException(name + ": expected ops in the order of the whole plan, got another one");
        }
    }

    private static String describe(MemoryPlan plan, NodeId id) {
        return plan.slot(id)
                .map(slot -> slot.size() + " bytes at " + slot.offset())
                .orElse("none");
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
        List<SlotChecks.Placed> placed = new ArrayList<>(buffers.size());
        for (LiveBuffer buffer : buffers) {
            BufferSlot slot = plan.slot(buffer.id())
                    .orElseThrow(() -> new InvalidPlanException(
                            buffer.id() + ": expected a slot of " + buffer.size() + " bytes, got none"));
            boolean live = buffer.firstStep() < buffer.endStep();
            // An alias begins where its bytes do, at whatever multiple.
            SlotChecks.check(
                    buffer.id().toString(),
                    slot,
                    buffer.size(),
                    live ? options.alignment() : 1,
                    live ? options.boundary() : 0);
            placed.add(new SlotChecks.Placed(buffer, slot));
        }
        SlotChecks.checkOverlaps(placed);
    }
}
