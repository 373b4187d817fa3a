package io.devicearena.cli.input;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An input and its plan.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param input what was planned
 * @param options how it was planned
 * @param result the plan
 */
public record PlannedInput(PlanInput input, PlanOptions options, PlanResult result) {
    /**
     * Plans an input.
     *
     * @param input what to plan
     * @param options how to plan it
     * @return the input with its plan, which is not validated yet
     * @throws io.devicearena.cli.message.InputException if it cannot be planned; the message names the file, and for a
     *     graph the position
     */
    public static PlannedInput of(PlanInput input, PlanOptions options) {
        return new PlannedInput(input, options, input.plan(options));
    }

    /**
     * Validates the plan.
     *
     * @throws InvalidPlanException if it is wrong
     */
    public void validate() {
        input.validate(result, options);
    }

    /**
     * The plan.
     *
     * @return that of the result
     */
    public MemoryPlan plan() {
        return result.plan();
    }

    /**
     * Where a value lies.
     *
     * @param id a value in memory
     * @return its slot
     */
    public BufferSlot slot(NodeId id) {
        return plan().slot(id).orElseThrow(() -> new IllegalStateException(id + ": the plan has no slot for it"));
    }

    /**
     * The name of a value.
     *
     * @param id the value
     * @return its name, or its number if it has none
     */
    public String name(NodeId id) {
        return input.node(id).map(PlanNode::name).orElseGet(() -> Long.toString(id.value()));
    }

    /**
     * What a value is.
     *
     * @param id the value
     * @return its role in the graph, {@code buffer} without one
     */
    public String role(NodeId id) {
        return input.node(id)
                .map(node -> node.role().name().toLowerCase(Locale.ROOT))
                .orElse("buffer");
    }

    /**
     * The values that lie in the slots of others.
     *
     * @param reason why they lie there
     * @return the value that each lies in
     */
    public Map<NodeId, NodeId> hosts(SlotAlias.Reason reason) {
        return result.aliases().stream()
                .filter(pair -> pair.reason() == reason)
                .collect(Collectors.toMap(SlotAlias::value, SlotAlias::host, (_, last) -> last));
    }

    /**
     * Whether the plan has another schedule than its graph.
     *
     * @return true when the planner has reordered the graph
     */
    public boolean isReordered() {
        return input.graph()
                .map(graph -> graph.network().nodes().stream().map(PlanNode::id).toList())
                .filter(ids -> !ids.equals(plan().schedule()))
                .isPresent();
    }
}
