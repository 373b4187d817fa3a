package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.cli.message.FilePosition;
import io.devicearena.plan.PlanGraph;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A graph read from a file, with the positions that messages need.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param file the name of the file
 * @param name the name of the graph
 * @param nodes the nodes in execution order
 * @param outputs the ids of the outputs that the file lists
 * @param outputsPlace the position of that list, empty if there is none
 */
public record FileGraph(
        String file, String name, List<FileNode> nodes, List<NodeId> outputs, Optional<FilePosition> outputsPlace)
        implements PlanGraph {
    /**
     * The number of elements in all parameters together.
     *
     * @return 0 or more
     */
    public long parameterCount() {
        return nodes.stream()
                .filter(node -> node.role() == NodeRole.PARAMETER && node.view().isEmpty())
                .mapToLong(FileNode::elements)
                .sum();
    }

    /**
     * The nodes by id.
     *
     * @return each node
     */
    public Map<NodeId, FileNode> byId() {
        return nodes.stream().collect(Collectors.toUnmodifiableMap(FileNode::id, Function.identity()));
    }

    /** The ids of all nodes. */
    Set<NodeId> ids() {
        return byId().keySet();
    }

    /** The same graph with other nodes. */
    FileGraph withNodes(List<FileNode> others) {
        return new FileGraph(file, name, others, outputs, outputsPlace);
    }

    /** The position of a node, or empty if the graph has no such node. */
    Optional<FilePosition> placeOf(NodeId id) {
        return Optional.ofNullable(byId().get(id)).map(FileNode::place);
    }

    /** The position of the list of outputs, if the node is in it. */
    Optional<FilePosition> placeOfOutput(NodeId id) {
        return outputsPlace.filter(place -> outputs.contains(id));
    }
}
