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
 */
public final class FitInput {
    /** The dimension of a language model. */
    private static final String CONTEXT = "context";

    private final Path file;
    private final long size;
    private final Optional<Dimension> range;
    private final boolean hasOps;
    private final boolean hasState;
    private final LongFunction<PlanGraph> graphs;
    private final Map<Long, PlanGraph> made = new HashMap<>();

    private FitInput(
            Path file,
            long size,
            Optional<Dimension> range,
            boolean hasOps,
            boolean hasState,
            LongFunction<PlanGraph> graphs) {
        this.file = file;
        this.size = size;
        this.range = range;
        this.hasOps = hasOps;
        this.hasState = hasState;
        this.graphs = graphs;
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
            PlanGraph graph = PlanInputReader.read(Optional.of(file)).graph().orElseThrow();
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
     * The file.
     *
     * @return its path
     */
    public Path file() {
        return file;
    }

    /**
     * The size of the dimension that was asked for.
     *
     * @return the largest that was; 1 without such a dimension
     */
    public long size() {
        return size;
    }

    /**
     * The dimension whose largest size is looked for.
     *
     * @return its name and the sizes to try; empty if there is none
     */
    public Optional<Dimension> range() {
        return range;
    }

    /**
     * Whether the file says what ops make, so that activations are known.
     *
     * @return true for a graph
     */
    public boolean hasOps() {
        return hasOps;
    }

    /**
     * Whether the file says what is kept from one execution to the next.
     *
     * @return true for a graph, and for a language model
     */
    public boolean hasState() {
        return hasState;
    }

    /**
     * The graph at a size.
     *
     * @param size a size of the range; any number without one
     * @return the graph
     * @throws io.devicearena.onnx.graph.OnnxException if the model has no such size
     */
    public PlanGraph graph(long size) {
        return made.computeIfAbsent(size, graphs::apply);
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
