package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.cli.message.FilePosition;
import io.devicearena.plan.NodeRole;
import io.devicearena.plan.PlanGraph;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A graph read from a file: an engine's graph as the planner sees it.
 *
 * @param file what messages call the file
 * @param outputsPlace where the file lists the outputs, empty where it lists none
 */
public record FileGraph(String file, String name, List<FileNode> nodes, List<NodeId> outputs, Optional<FilePosition> outputsPlace)
        implements PlanGraph {
    /** How many elements the parameters have together. */
    public long parameterCount() {
        return nodes.stream()
                .filter(node -> node.role() == NodeRole.PARAMETER && node.view().isEmpty())
                .mapToLong(FileNode::elements)
                .sum();
    }

    /** The ids of all nodes. */
    Set<NodeId> ids() {
        return nodes.stream().map(FileNode::id).collect(Collectors.toUnmodifiableSet());
    }

    /** The same graph with other nodes. */
    FileGraph withNodes(List<FileNode> others) {
        return new FileGraph(file, name, others, outputs, outputsPlace);
    }

    /** Where the file has a node, or empty when it has none of that id. */
    Optional<FilePosition> placeOf(NodeId id) {
        return nodes.stream()
                .filter(node -> node.id().equals(id))
                .map(FileNode::place)
                .findFirst();
    }

    /** Where the file lists a node among its outputs, or empty when it does not. */
    Optional<FilePosition> placeOfOutput(NodeId id) {
        return outputsPlace.filter(place -> outputs.contains(id));
    }
}
