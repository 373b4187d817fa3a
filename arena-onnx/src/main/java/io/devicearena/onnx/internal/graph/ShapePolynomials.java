package io.devicearena.onnx.internal.graph;

import io.devicearena.NodeId;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.size.SizeExpression;
import io.devicearena.weights.tensor.TensorType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Finds the shapes of a model as polynomials in its free dimensions: each axis of each value, of degree 1 in each
 * dimension. They follow from the graph at the lower bounds, and with some of the dimensions one step up. Then they are
 * compared with the graph at the upper bounds and at other sizes.
 */
public final class ShapePolynomials {
    private static final int OTHER_SIZES = 3;
    private static final int MOST_FREE = 6; // the graph is read for each combination

    private final Path file;
    private final List<Dimension> free;
    private final Map<Map<String, Long>, OnnxGraph> graphs = new LinkedHashMap<>();
    private final List<OnnxGraph> stepsUp = new ArrayList<>(); // bit i of the index: whether dimension i is a step up
    private final OnnxGraph most;

    /**
     * Reads the graphs.
     *
     * @param reader the graph at a size of each dimension
     * @throws IllegalArgumentException if too many dimensions have several sizes
     */
    public ShapePolynomials(
            Path file, Collection<Dimension> dimensions, Function<Map<String, Long>, OnnxGraph> reader) {
        this.file = file;
        this.free = dimensions.stream()
                .filter(dimension -> dimension.least() < dimension.most())
                .toList();
        if (free.size() > MOST_FREE) {
            throw new IllegalArgumentException("dimensions: expected at most " + MOST_FREE + " with several sizes, got "
                    + free.size() + "; give some of them a size");
        }
        for (int i = 0; i < 1 << free.size(); i++) {
            int ups = i;
            stepsUp.add(read(dimensions, reader, (dimension, steps) -> ups >> free.indexOf(dimension) & 1));
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < OTHER_SIZES; i++) {
            read(dimensions, reader, (dimension, steps) -> random.nextLong(steps + 1));
        }
        this.most = read(dimensions, reader, (dimension, steps) -> steps);
    }

    /** Reads the graph at sizes that are some steps above the lower bounds. */
    private OnnxGraph read(
            Collection<Dimension> dimensions,
            Function<Map<String, Long>, OnnxGraph> reader,
            ToLongBiFunction<Dimension, Long> steps) {
        Map<String, Long> sizes = new TreeMap<>();
        for (Dimension each : dimensions) {
            long all = (each.most() - each.least()) / each.multipleOf();
            sizes.put(each.name(), each.least() + each.multipleOf() * steps.applyAsLong(each, all));
        }
        return graphs.computeIfAbsent(sizes, reader);
    }

    /** The values that are known before the graph runs, take memory, and have other elements at other sizes. */
    public Set<String> varying() {
        Map<String, List<OnnxConstant>> known = new HashMap<>();
        graphs.values()
                .forEach(graph -> graph.nodes()
                        .forEach(node -> graph.constant(node.id())
                                .filter(OnnxConstant::isWorkedOut)
                                .ifPresent(constant -> known.computeIfAbsent(node.name(), name -> new ArrayList<>())
                                        .add(constant))));
        known.values().removeIf(this::isSameAtAllSizes);
        return known.keySet();
    }

    private boolean isSameAtAllSizes(List<OnnxConstant> constants) {
        return constants.size() == graphs.size() && constants.stream().allMatch(constants.getFirst()::isSame);
    }

    private void requireSameForm() {
        List<List<Object>> first = form(graphs.values().iterator().next());
        graphs.forEach((sizes, graph) -> {
            if (!form(graph).equals(first)) {
                throw new OnnxException(
                        file,
                        "graph: expected the same values, types, ranks and inputs at all sizes, got others at " + sizes
                                + "; give the dimensions a size");
            }
        });
    }

    /** What is the same at all sizes. */
    private static List<List<Object>> form(OnnxGraph graph) {
        return graph.nodes().stream()
                .map(node ->
                        List.<Object>of(node.name(), node.dtype(), node.shape().size(), node.inputs()))
                .toList();
    }

    /**
     * Returns the graph at the upper bounds, with its shapes at all sizes.
     *
     * @throws OnnxException if a shape is no such polynomial, or there are other values at other sizes
     */
    public OnnxGraph find() {
        requireSameForm();
        List<OnnxNode> nodes = new ArrayList<>();
        for (OnnxNode node : most.nodes()) {
            nodes.add(node.withSizes(IntStream.range(0, node.sizes().size())
                    .mapToObj(axis -> polynomial(
                            "value '" + node.name() + "'",
                            axis,
                            graph -> graph.node(node.id()).sizes().get(axis).atMost()))
                    .toList()));
        }
        Map<NodeId, List<SizeExpression>> elements = new HashMap<>();
        for (OnnxOperator operator : most.operators()) {
            for (int i = 0; i < operator.operands().size(); i++) {
                boolean isParameter = OnnxOperators.isParameter(operator, i);
                operator.operand(i)
                        .filter(id -> isParameter)
                        .ifPresent(id -> elements(id).ifPresent(found -> elements.put(id, found)));
            }
        }
        return most.withSizes(nodes, elements);
    }

    /** The elements of a constant, if they are others at other sizes. */
    private Optional<List<SizeExpression>> elements(NodeId id) {
        List<OnnxConstant> constants = graphs.values().stream()
                .flatMap(graph -> graph.constant(id).filter(OnnxConstant::isWorkedOut).stream())
                .toList();
        if (constants.isEmpty() || isSameAtAllSizes(constants)) {
            return Optional.empty();
        }
        OnnxConstant constant = constants.getLast();
        if (!Set.of(TensorType.I64, TensorType.I32).contains(constant.type())
                || constants.size() < graphs.size()
                || !constants.stream().allMatch(other -> other.shape().equals(constant.shape()))) {
            throw new OnnxException(
                    file,
                    constant + ": expected as many whole numbers at all sizes, got others; give the dimensions a size");
        }
        return Optional.of(IntStream.range(0, constant.longs().length)
                .mapToObj(i -> polynomial(
                        constant.toString(),
                        i,
                        graph -> graph.constant(id).orElseThrow().longs()[i]))
                .toList());
    }

    private SizeExpression polynomial(String subject, int place, ToLongFunction<OnnxGraph> length) {
        SizeExpression sum = SizeExpression.of(0);
        long[] terms = new long[stepsUp.size()];
        for (int ups = 0; ups < terms.length; ups++) {
            long term = length.applyAsLong(stepsUp.get(ups));
            for (int fewer = 0; fewer < ups; fewer++) {
                term -= (fewer & ups) == fewer ? terms[fewer] : 0;
            }
            terms[ups] = term;
            sum = sum.plus(product(ups).times(SizeExpression.of(term)));
        }
        SizeExpression found = sum;
        graphs.forEach((sizes, graph) -> {
            if (found.at(sizes) != length.applyAsLong(graph)) {
                throw new OnnxException(
                        file,
                        subject + ": expected " + found + " in axis " + place + " at all sizes, got "
                                + length.applyAsLong(graph) + " at " + sizes
                                + "; say what a dimension is a multiple of, as in width=32..640:32, or give it a size");
            }
        });
        return found;
    }

    /** The product of the steps that dimensions are above their lower bounds. */
    private SizeExpression product(int ups) {
        SizeExpression product = SizeExpression.of(1);
        for (Dimension dimension : free) {
            if ((ups >> free.indexOf(dimension) & 1) == 1) {
                SizeExpression above = SizeExpression.of(dimension).minus(SizeExpression.of(dimension.least()));
                product = product.times(above.dividedBy(dimension.multipleOf()));
            }
        }
        return product;
    }
}
