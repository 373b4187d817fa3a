package io.devicearena.cli.input;

import io.devicearena.cli.message.FileKind;
import io.devicearena.cli.message.InputException;
import io.devicearena.onnx.OnnxModel;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.plan.size.Dimension;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
            return new GraphInput(
                    new FileGraph(
                            file.toString(),
                            title,
                            graph.nodes(),
                            List.copyOf(graph.outputs()),
                            Map.of(),
                            Optional.empty()),
                    true);
        }
    }
}
