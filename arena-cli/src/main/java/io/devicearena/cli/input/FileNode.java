package io.devicearena.cli.input;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.cli.message.FilePosition;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.ViewOf;
import io.devicearena.plan.size.SizeExpression;
import java.util.List;
import java.util.Optional;

/**
 * A node of a graph file.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param place its position in the file
 * @param id its id, unique in the graph
 * @param name its name in the engine
 * @param role what it is in the graph
 * @param dtype the type of its elements
 * @param sizes its dimensions, which may depend on free ones
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
public record FileNode(
        FilePosition place,
        NodeId id,
        String name,
        NodeRole role,
        DType dtype,
        List<SizeExpression> sizes,
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
    @Override
    public List<Long> shape() {
        return sizes.stream().map(SizeExpression::atMost).toList();
    }

    /** The same node with other declarations of sharing. */
    FileNode declaring(List<NodeId> inPlace, boolean concatenation) {
        return new FileNode(
                place,
                id,
                name,
                role,
                dtype,
                sizes,
                elements,
                inputs,
                view,
                isFused,
                op,
                inPlace,
                concatenation,
                controlDependencies,
                updates);
    }
}
