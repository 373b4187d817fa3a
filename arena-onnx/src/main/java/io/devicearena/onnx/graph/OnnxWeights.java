package io.devicearena.onnx.graph;

import io.devicearena.weights.WeightSource;
import io.devicearena.weights.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The weights of ONNX graphs or of a model, as {@link io.devicearena.weights.WeightLoader} wants them: by the names of
 * values.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until the model is closed.
 */
public final class OnnxWeights implements WeightSource {
    private final Path path;
    private final Map<String, OnnxConstant> constants;
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();

    /**
     * Makes weights of constants.
     *
     * @param path the file of the model
     * @param constants the constants by the names of their values
     */
    public OnnxWeights(Path path, Map<String, OnnxConstant> constants) {
        this.path = Objects.requireNonNull(path, "path");
        this.constants = Map.copyOf(constants);
        constants.values().stream()
                .map(OnnxConstant::tensor)
                .sorted(Comparator.comparing(Tensor::file).thenComparingLong(Tensor::offset))
                .forEach(tensor -> tensors.put(tensor.name(), tensor));
    }

    /**
     * {@return the weights of graphs of one model, rewritten or not, that run in one arena}
     *
     * @param path the file of the model, for messages
     * @param graphs the graphs
     * @throws IllegalArgumentException if two have other elements for one weight
     */
    public static OnnxWeights of(Path path, Collection<OnnxGraph> graphs) {
        Map<String, OnnxConstant> constants = new LinkedHashMap<>();
        for (OnnxGraph graph : graphs) {
            List<OnnxNode> weights = graph.nodes().stream()
                    .filter(node -> node.operator().isEmpty())
                    .toList();
            for (OnnxNode node : weights) {
                graph.constant(node.id()).ifPresent(constant -> {
                    OnnxConstant other = constants.putIfAbsent(node.name(), constant);
                    if (other != null && !other.isSame(constant)) {
                        throw new IllegalArgumentException("weight '" + node.name()
                                + "': expected the same elements in all graphs, got others in two");
                    }
                });
            }
        }
        return new OnnxWeights(path, constants);
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public Map<String, Tensor> tensors() {
        return Collections.unmodifiableMap(tensors);
    }

    @Override
    public MemorySegment bytes(Tensor tensor) {
        OnnxConstant known = constants.get(tensor.name());
        if (known == null || !known.tensor().equals(tensor)) {
            throw new IllegalArgumentException("expected a tensor of " + path + ", got " + tensor);
        }
        return known.bytes();
    }

    @Override
    public String toString() {
        return "ONNX file " + path + " of " + tensors.size() + " tensors";
    }
}
