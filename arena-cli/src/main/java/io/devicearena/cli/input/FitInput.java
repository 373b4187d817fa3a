package io.devicearena.cli.input;

import io.devicearena.DType;
import io.devicearena.cli.message.FileKind;
import io.devicearena.cli.message.InputException;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.size.Dimension;
import io.devicearena.weights.KeyValueCache;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * A model whose memory is asked for, at any size of one dimension: the graph of an ONNX file, or the tensors of a file
 * of weights and the cache that its metadata describe. Nothing of its data is read.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param file the file
 * @param size the largest size of the dimension that was asked for; 1 without such a dimension
 * @param range the dimension whose largest size is looked for; empty if there is none
 * @param hasOps whether the file says what ops make, so that activations are known: true for a graph
 * @param hasState whether the file says what is kept from one execution to the next: true for a graph, and for a
 *     language model
 * @param graphs the graph at a size of the range, or at any number without one
 */
public record FitInput(
        Path file,
        long size,
        Optional<Dimension> range,
        boolean hasOps,
        boolean hasState,
        LongFunction<PlanGraph> graphs) {
    /** The dimension of a language model. */
    private static final String CONTEXT = "context";

    /** Makes a model, which makes the graph of a size once. */
    public FitInput {
        LongFunction<PlanGraph> make = graphs;
        Map<Long, PlanGraph> made = new HashMap<>();
        graphs = wanted -> made.computeIfAbsent(wanted, make::apply);
    }

    /**
     * Reads a model.
     *
     * @param file an ONNX file, a graph, or a file of weights
     * @param dimensions the sizes of free dimensions, at most one of them a range
     * @param cacheType the type of keys and values in the cache of a language model
     * @return the model
     * @throws InputException if the file cannot be used
     * @throws IllegalArgumentException if a dimension is wrong for it
     * @throws IOException if reading fails
     */
    public static FitInput read(Path file, List<Dimension> dimensions, DType cacheType) throws IOException {
        List<Dimension> ranges = dimensions.stream()
                .filter(dimension -> DimensionRange.isFree(List.of(dimension)))
                .toList();
        if (ranges.size() > 1) {
            throw new IllegalArgumentException("--dim: expected a range for one dimension, got one for '"
                    + ranges.get(0).name() + "' and one for '" + ranges.get(1).name() + "'; give one of them a size");
        }
        FileKind.requireFile(file);
        if (OnnxInput.isOnnx(file)) {
            Optional<Dimension> range = ranges.stream().findFirst();
            long most = range.map(Dimension::most).orElse(1L);
            return new FitInput(file, most, range, true, true, size -> {
                List<Dimension> sizes = dimensions.stream()
                        .map(given -> range.equals(Optional.of(given))
                                ? new Dimension(given.name(), size, size, given.multipleOf())
                                : given)
                        .toList();
                return OnnxInput.read(file, sizes).network();
            });
        }
        if (file.toString().endsWith(".graph.json")) {
            requireNone(file, dimensions);
            PlanGraph graph = PlanInputReader.read(Optional.of(file), false)
                    .graph()
                    .orElseThrow()
                    .network();
            return new FitInput(file, 1, Optional.empty(), true, true, _ -> graph);
        }
        try (WeightFile weights = WeightFile.open(file)) {
            List<Tensor> tensors = List.copyOf(weights.tensors().values());
            Optional<KeyValueCache> cache = KeyValueCache.of(weights);
            if (cache.isEmpty()) {
                requireNone(file, dimensions);
                return new FitInput(file, 1, Optional.empty(), false, false, _ -> new WeightGraph(tensors));
            }
            Dimension whole = new Dimension(CONTEXT, 1, cache.get().contextTokens());
            Dimension given = context(dimensions, whole);
            return new FitInput(
                    file,
                    given.most(),
                    Optional.of(DimensionRange.isFree(List.of(given)) ? given : whole),
                    false,
                    true,
                    size -> new WeightGraph(tensors, cache.get(), size, cacheType));
        }
    }

    private static void requireNone(Path file, List<Dimension> dimensions) {
        if (!dimensions.isEmpty()) {
            throw new IllegalArgumentException("--dim: expected a file with a free dimension, an ONNX file or a GGUF"
                    + " file of a language model, got " + file);
        }
    }

    private static Dimension context(List<Dimension> dimensions, Dimension whole) {
        Dimension given = dimensions.isEmpty() ? whole : dimensions.getLast();
        if (dimensions.size() > 1 || !given.name().equals(whole.name()) || given.most() > whole.most()) {
            throw new IllegalArgumentException("--dim: expected " + whole.name() + "=N with at most " + whole.most()
                    + " tokens, as the model was made for, got " + given.name() + " of " + given.most());
        }
        return given;
    }

    /**
     * The graph at a size.
     *
     * @param size a size of the range; any number without one
     * @return the graph
     * @throws io.devicearena.onnx.graph.OnnxException if the model has no such size
     */
    public PlanGraph graph(long size) {
        return graphs.apply(size);
    }

    /**
     * Plans the graph at a size, with the types of its values.
     *
     * @param size as {@link #graph}
     * @param options how to plan it
     * @return the plan
     * @throws InputException if it cannot be planned
     */
    public PlanResult plan(long size, PlanOptions options) {
        try {
            return MemoryPlanner.plan(graph(size), options.withDeclaredTypes());
        } catch (InvalidGraphException e) {
            throw new InputException(file.toString(), String.valueOf(e.getMessage()));
        }
    }
}
