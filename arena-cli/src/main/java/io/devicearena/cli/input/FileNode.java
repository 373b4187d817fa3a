package io.devicearena.cli.input;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.ViewOf;
import java.util.List;
import java.util.Optional;

/**
 * A node of a graph in JSON.
 *
 * @param id its id, unique in the graph
 * @param name its name in the engine
 * @param role what it is in the graph
 * @param dtype the type of its elements
 * @param shape its dimensions
 * @param elements the product of the dimensions
 * @param inputs the nodes that it reads
 * @param view the node whose bytes it shows, if it is a view
 * @param isFused whether it has no value in memory
 * @param op the name of its operator, empty if the file has none
 * @param inPlaceInputs the inputs that it may overwrite
 * @param isConcatenation whether its value is its inputs' elements one after another
 * @param controlDependencies the nodes that run before it though it does not read them
 * @param updates the state, or the update of one, that the op changes in place
 */
record FileNode(
        NodeId id,
        String name,
        NodeRole role,
        DType dtype,
        List<Long> shape,
        long elements,
        List<NodeId> inputs,
        Optional<ViewOf> view,
        boolean isFused,
        String op,
        List<NodeId> inPlaceInputs,
        boolean isConcatenation,
        List<NodeId> controlDependencies,
        Optional<NodeId> updates)
        implements PlanNode {
    /** The same node with other declarations of sharing. */
    FileNode declaring(List<NodeId> inPlace, boolean joins) {
        return new FileNode(
                id,
                name,
                role,
                dtype,
                shape,
                elements,
                inputs,
                view,
                isFused,
                op,
                inPlace,
                joins,
                controlDependencies,
                updates);
    }
}
