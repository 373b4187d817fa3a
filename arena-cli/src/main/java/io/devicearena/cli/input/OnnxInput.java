package io.devicearena.cli.input;

import io.devicearena.cli.message.FileKind;
import io.devicearena.cli.message.FilePosition;
import io.devicearena.cli.message.InputException;
import io.devicearena.onnx.OnnxModel;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.plan.size.Dimension;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads ONNX files.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class OnnxInput {
    private OnnxInput() {}

    /**
     * Whether a file is an ONNX file by its name.
     *
     * @param file the file
     * @return true for names that end in {@code .onnx}
     */
    public static boolean isOnnx(Path file) {
        return file.toString().endsWith(".onnx");
    }

    /** Reads a graph. */
    static GraphInput read(Path file, List<Dimension> dimensions) {
        FileKind.requireFile(file);
        try (OnnxModel model = OnnxModel.open(file)) {
            model.freeDimensions().forEach((name, input) -> {
                if (dimensions.stream().noneMatch(given -> given.name().equals(name))) {
                    throw new InputException(
                            file.toString(),
                            "input '" + input + "': expected a size for its dimension '" + name
                                    + "', got none; add --dim " + name + "=1, or another size");
                }
            });
            OnnxGraph graph = DimensionRange.isFree(dimensions)
                    ? model.graph(dimensions)
                    : model.graph(DimensionRange.most(dimensions));
            String title = graph.name().isEmpty() ? String.valueOf(file.getFileName()) : graph.name();
            FilePosition place = new FilePosition(file.toString(), 0, 0);
            List<FileNode> nodes =
                    graph.nodes().stream().map(node -> node(place, node)).toList();
            return new GraphInput(
                    new FileGraph(file.toString(), title, nodes, List.copyOf(graph.outputs()), Optional.empty()), true);
        }
    }

    private static FileNode node(FilePosition place, OnnxNode node) {
        return new FileNode(
                place,
                node.id(),
                node.name(),
                node.role(),
                node.dtype(),
                node.sizes(),
                node.elements(),
                node.inputs(),
                node.view(),
                node.isFused(),
                node.op(),
                node.inPlaceInputs(),
                node.isConcatenation(),
                List.of(),
                Optional.empty());
    }
}
