package io.devicearena.cli;

import io.devicearena.NodeId;
import io.devicearena.plan.NodeRole;
import io.devicearena.plan.PlanGraph;
import java.util.List;

/** A graph read from a file: an engine's graph as the planner sees it. */
record FileGraph(String name, List<FileNode> nodes, List<NodeId> outputs) implements PlanGraph {
    /** How many elements the parameters have together. */
    long parameterCount() {
        return nodes.stream()
                .filter(node -> node.role() == NodeRole.PARAMETER && node.view().isEmpty())
                .mapToLong(FileNode::elements)
                .sum();
    }
}
