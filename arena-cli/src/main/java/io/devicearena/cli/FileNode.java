package io.devicearena.cli;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.plan.NodeRole;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.ViewOf;
import java.util.List;
import java.util.Optional;

/**
 * A node of a graph file.
 *
 * @param place where the file has it
 * @param op the operator's name, empty where the file gives none
 */
record FileNode(
        TextPlace place,
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
        List<NodeId> controlDependencies)
        implements PlanNode {
    FileNode declaring(List<NodeId> inPlace, boolean concatenation) {
        return new FileNode(
                place,
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
                concatenation,
                controlDependencies);
    }
}
