package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.cli.message.FilePosition;
import io.devicearena.cli.message.InputException;
import io.devicearena.plan.InvalidGraphException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Adds the position in the file to errors of the planner, which names nodes but knows no files. */
final class GraphErrorPositions {
    /** How messages name a node. The first node that a message names is the one at fault. */
    private static final Pattern NODE = Pattern.compile("\\bnode (\\d+)");

    private static final String OUTPUTS = "outputs: ";

    private GraphErrorPositions() {}

    /** The error with the position of the node in each graph that has it, or with the files if no graph has it. */
    static InputException placed(InvalidGraphException fault, List<FileGraph> graphs) {
        String message = Objects.requireNonNull(fault.getMessage(), "message");
        Matcher node = NODE.matcher(message);
        String places = node.find() ? places(message, NodeId.of(Long.parseLong(node.group(1))), graphs) : "";
        return new InputException(
                places.isEmpty() ? graphs.stream().map(FileGraph::file).collect(Collectors.joining(" and ")) : places,
                message);
    }

    private static String places(String message, NodeId id, List<FileGraph> graphs) {
        return graphs.stream()
                .map(graph -> message.startsWith(OUTPUTS) ? graph.placeOfOutput(id) : graph.placeOf(id))
                .flatMap(Optional::stream)
                .map(FilePosition::toString)
                .collect(Collectors.joining(" and "));
    }
}
