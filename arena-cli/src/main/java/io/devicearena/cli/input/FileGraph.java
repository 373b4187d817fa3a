package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.cli.message.FilePosition;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A graph read from a file, with the positions that messages need.
 *
 * @param file the name of the file
 * @param name the name of the graph
 * @param nodes the nodes in execution order
 * @param outputs the ids of the outputs that the file lists
 * @param places the position of each node; none in a file that is no text
 * @param outputsPlace the position of the list of outputs, empty if there is none
 */
record FileGraph(
        String file,
        String name,
        List<? extends PlanNode> nodes,
        List<NodeId> outputs,
        Map<NodeId, FilePosition> places,
        Optional<FilePosition> outputsPlace)
        implements PlanGraph {
    /** The position of a node, or empty if it is not known. */
    Optional<FilePosition> placeOf(NodeId id) {
        return Optional.ofNullable(places.get(id));
    }

    /** The position of the list of outputs, if the node is in it. */
    Optional<FilePosition> placeOfOutput(NodeId id) {
        return outputsPlace.filter(place -> outputs.contains(id));
    }
}
