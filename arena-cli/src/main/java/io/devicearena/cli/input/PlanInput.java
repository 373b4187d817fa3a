package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.cli.message.InputException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import java.util.Optional;

/**
 * What a command plans: one graph, a forward and a backward graph, or buffers with known live ranges.
 *
 * <p><b>Threads:</b> immutable.
 */
public sealed interface PlanInput permits GraphInput, BufferInput {
    /**
     * The name in reports.
     *
     * @return a name, any text
     */
    String name();

    /**
     * The number of values.
     *
     * @return 0 or more
     */
    int count();

    /**
     * The default alignment of such an input.
     *
     * @return bytes
     */
    long usualAlignment();

    /**
     * The graph.
     *
     * @return this input, or empty for buffers
     */
    default Optional<GraphInput> graph() {
        return Optional.empty();
    }

    /**
     * A node of the graph.
     *
     * @param id its id
     * @return the node, or empty if the input has none of that id
     */
    default Optional<PlanNode> node(NodeId id) {
        return Optional.empty();
    }

    /**
     * The options for the types of the input's values.
     *
     * @param options other options
     * @return options with the bytes of each type for an ONNX file; these for all else
     */
    default PlanOptions typed(PlanOptions options) {
        return options;
    }

    /**
     * Plans the input.
     *
     * @param options how to plan it
     * @return the plan
     * @throws InputException if it cannot be planned; the message names the file, and for a graph the position
     */
    PlanResult plan(PlanOptions options);

    /**
     * Validates a plan of this input.
     *
     * @param planned the plan
     * @param options the options that it was made with
     * @throws InvalidPlanException if it is wrong
     */
    void validate(PlanResult planned, PlanOptions options);
}
