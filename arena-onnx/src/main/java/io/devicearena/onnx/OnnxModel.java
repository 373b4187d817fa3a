package io.devicearena.onnx;

import io.devicearena.NodeId;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxWeights;
import io.devicearena.onnx.internal.graph.ConstantBranches;
import io.devicearena.onnx.internal.graph.FreeDimensions;
import io.devicearena.onnx.internal.graph.OnnxGraphReader;
import io.devicearena.onnx.internal.graph.ShapeInference;
import io.devicearena.onnx.internal.graph.ShapePolynomials;
import io.devicearena.onnx.internal.onnxruntime.OnnxRuntimeInference;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.tensors.TensorReader;
import io.devicearena.onnx.internal.wire.ModelStructure;
import io.devicearena.plan.size.Dimension;
import io.devicearena.weights.WeightSource;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.tensor.WeightFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * An ONNX file: its graph, for the planner, and its weights, for the arena.
 *
 * <p>Opening reads the structure. The data of tensors stay where they are until they are read: the file is mapped.
 * Files are not trusted; one that breaks its format is refused with the place of the fault.
 *
 * <p>A file must not change while it is open. Where it shrinks, reading ends with a {@link WeightFileException}, or
 * with an {@link InternalError} where the bytes of {@link #weights} are read.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until {@link #close}; graphs stay valid afterwards, weights do not.
 */
public final class OnnxModel implements AutoCloseable {
    private final MappedFile file;
    private final ModelProto model;
    private final TensorReader reader;
    private final Map<String, String> freeDimensions;
    private final Map<String, NodeId> ids = new HashMap<>();
    private final Map<String, OnnxConstant> weights; // those of the file first, then what graphs add

    private OnnxModel(MappedFile file, ModelProto model, TensorReader reader, Map<String, OnnxConstant> tensors) {
        this.file = file;
        this.model = model;
        this.reader = reader;
        this.weights = new LinkedHashMap<>(tensors);
        this.freeDimensions = Collections.unmodifiableMap(FreeDimensions.of(model.getGraph(), tensors.keySet()));
        model.getGraph().getInputList().forEach(input -> id(input.getName()));
        tensors.keySet().forEach(this::id);
    }

    /** The number of a value: the same in all graphs of the model. */
    private NodeId id(String name) {
        synchronized (ids) {
            return ids.computeIfAbsent(name, _ -> NodeId.of(ids.size()));
        }
    }

    /** A value that is worked out, or in a branch, may have other elements at other sizes: another weight then. */
    private OnnxConstant named(OnnxConstant constant) {
        synchronized (weights) {
            String name = constant.name();
            for (int i = 2; !weights.computeIfAbsent(name, constant::named).isSame(constant); i++) {
                name = constant.name() + "#" + i;
            }
            return Objects.requireNonNull(weights.get(name));
        }
    }

    /**
     * Opens a file.
     *
     * @param path an ONNX file; external data are in files of its folder
     * @return the model, to be closed
     * @throws WeightFileException if the file, or one with external data, cannot be read or is not in its format
     * @throws OnnxException if an {@code If} has other outputs than its branch
     */
    public static OnnxModel open(Path path) {
        MappedFile file = MappedFile.open(Objects.requireNonNull(path, "path"));
        List<MappedFile> opened = new ArrayList<>(List.of(file));
        try {
            return file.reading(() -> {
                ModelStructure structure = new ModelStructure(file);
                TensorReader reader = new TensorReader(file, structure);
                try {
                    ModelProto model = ConstantBranches.inline(path, structure.model(), reader);
                    return new OnnxModel(file, model, reader, reader.read(model.getGraph()));
                } finally {
                    opened.addAll(reader.opened());
                }
            });
        } catch (RuntimeException e) {
            opened.forEach(MappedFile::close);
            throw e;
        }
    }

    /** {@return the path that was opened} */
    public Path path() {
        return file.path();
    }

    /**
     * {@return the dimensions of inputs that the file leaves open, each with the input that has it} One has the name in
     * the file, or that of its input and its axis, as in {@code x.0}.
     */
    public Map<String, String> freeDimensions() {
        return freeDimensions;
    }

    /**
     * Returns the graph for a size of each free dimension.
     *
     * <p>Types and shapes come from the file. If the file leaves some out, ONNX Runtime infers them, if it is on the
     * class path ({@code com.microsoft.onnxruntime:onnxruntime}); where a shape depends on data, by one run on zeros.
     *
     * @param dimensions a size of 1 or more for each of {@link #freeDimensions}
     * @return the graph
     * @throws IllegalArgumentException if a free dimension has no size, or one that is not free has one
     * @throws OnnxException if a shape cannot be known, an operator has graphs of its own, a value is no tensor of
     *     numbers, the file has another shape of a value than its inputs make, or nodes read each other in a cycle
     * @throws IllegalStateException if the model is closed
     */
    public OnnxGraph graph(Map<String, Long> dimensions) {
        return graph(dimensions, inference());
    }

    OnnxGraph graph(Map<String, Long> dimensions, Optional<ShapeInference> inference) {
        return graph(dimensions, inference, Set.of(), this::named);
    }

    private OnnxGraph graph(
            Map<String, Long> dimensions,
            Optional<ShapeInference> inference,
            Set<String> computed,
            UnaryOperator<OnnxConstant> naming) {
        dimensions.forEach((name, size) -> {
            if (!freeDimensions.containsKey(name) && !FreeDimensions.isAxis(model.getGraph(), name)) {
                throw new IllegalArgumentException("dimensions: expected free dimensions of the model, "
                        + freeDimensions.keySet() + ", got '" + name + "'");
            }
            if (size < 1) {
                throw new IllegalArgumentException(
                        "dimensions: expected a size of 1 or more for '" + name + "', got " + size);
            }
        });
        freeDimensions.forEach((name, input) -> {
            if (!dimensions.containsKey(name)) {
                throw new IllegalArgumentException("dimensions: expected a size for '" + name + "' of input '" + input
                        + "', which is free, got none");
            }
        });
        FreeDimensions sizes = new FreeDimensions(Map.copyOf(dimensions));
        return file.reading(
                () -> OnnxGraphReader.read(file.path(), model, reader, sizes, inference, this::id, computed, naming));
    }

    /**
     * Returns the graph for all sizes of free dimensions within bounds: its shapes are polynomials in them, of degree 1
     * in each. They follow from the graph at the lower bounds and one step above them in any of the dimensions, as
     * {@link #graph(Map)} returns it, and are compared with it at the upper bounds and at three other sizes.
     *
     * @param dimensions the bounds of each of {@link #freeDimensions}; equal ones for a dimension of one size
     * @return the graph, whose values have the shapes at the upper bounds, and {@linkplain OnnxNode#sizes sizes}
     * @throws IllegalArgumentException if a free dimension has no bounds, or one that is not free has
     * @throws OnnxException if a shape is no such polynomial, as that of a convolution with a stride is none where a
     *     dimension is not a multiple of it; or for a cause of {@link #graph(Map)}
     * @throws IllegalStateException if the model is closed
     */
    public OnnxGraph graph(Collection<Dimension> dimensions) {
        Set<String> computed = new HashSet<>(); // by operators, since weights are the same at all sizes
        ShapePolynomials shapes;
        do {
            shapes = new ShapePolynomials(
                    file.path(), dimensions, sizes -> graph(sizes, inference(), computed, UnaryOperator.identity()));
        } while (computed.addAll(shapes.varying()));
        OnnxGraph found = shapes.find();
        boolean isNamed = found.nodes().stream()
                .flatMap(node -> found.constant(node.id()).stream())
                .allMatch(constant -> named(constant).name().equals(constant.name()));
        return isNamed
                ? found
                : new ShapePolynomials(
                                file.path(), dimensions, sizes -> graph(sizes, inference(), computed, this::named))
                        .find();
    }

    private static Optional<ShapeInference> inference() {
        try {
            return Optional.of(OnnxRuntimeInference.load());
        } catch (LinkageError | IllegalStateException e) { // ONNX Runtime is optional
            return Optional.empty();
        }
    }

    /**
     * {@return the weights: initialisers, and the values of {@code Constant} nodes} They have the names of the graph's
     * parameters and constants, as {@link io.devicearena.weights.WeightLoader} wants them.
     */
    public WeightSource weights() {
        synchronized (weights) {
            return new OnnxWeights(file.path(), weights);
        }
    }

    @Override
    public void close() {
        reader.opened().forEach(MappedFile::close);
        file.close();
    }

    @Override
    public String toString() {
        return "ONNX file " + file.path() + " of " + weights().tensors().size() + " tensors";
    }
}
