package com.example.embeddings.model;

import com.example.embeddings.Precision;
import com.example.embeddings.steps.Attention;
import com.example.embeddings.steps.BatchShape;
import com.example.embeddings.steps.BiasGelu;
import com.example.embeddings.steps.Dense;
import com.example.embeddings.steps.EmbeddingNorm;
import com.example.embeddings.steps.MeanPool;
import com.example.embeddings.steps.SumNorm;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.matrix.WeightFormat;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The graph of all-MiniLM-L6-v2 for one shape of a batch, and its steps. Graphs of all shapes give weights the same
 * ids, so that they share them in one arena.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class MiniLmGraph implements PlanGraph {
    /** Elements of a vector. */
    public static final int WIDTH = 384;

    /** The tokens of the model's vocabulary. */
    public static final int TOKENS = 30_522;

    private static final int LAYERS = 6;
    private static final int HEADS = 12;
    private static final int INNER = 1536;
    private static final int PLACES = 512;
    private static final int FIRST_OF_A_SHAPE = 1_000; // above the ids of all weights

    record Node(NodeId id, String name, NodeRole role, DType dtype, List<Long> shape, List<NodeId> inputs)
            implements PlanNode {
        @Override
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }
    }

    private final WeightFormat format;
    private final BatchShape batch;
    private final NodeId vectors;
    private final List<Node> nodes = new ArrayList<>();
    private final List<KernelStep> steps = new ArrayList<>();
    private int weights;
    private int own = FIRST_OF_A_SHAPE;

    /**
     * Makes the graph.
     *
     * @param sequences 1 or more
     * @param length tokens of each, 1 to 512, a multiple of 4
     * @param precision of the matrices
     */
    public MiniLmGraph(int sequences, int length, Precision precision) {
        format = precision == Precision.F16 ? WeightFormat.F16_SHADOW : WeightFormat.F32;
        batch = new BatchShape(
                sequences,
                length,
                input("ids", (long) sequences * length),
                input("lengths", sequences),
                input("cursor", 4));
        NodeId words = weight("embeddings.word_embeddings.weight", TOKENS, WIDTH);
        NodeId places = weight("embeddings.position_embeddings.weight", PLACES, WIDTH);
        NodeId types = weight("embeddings.token_type_embeddings.weight", 2, WIDTH);
        NodeId x = id();
        add(x, "embedded", WIDTH, new EmbeddingNorm(
                x,
                words,
                places,
                types,
                weight("embeddings.LayerNorm.weight", WIDTH),
                weight("embeddings.LayerNorm.bias", WIDTH),
                batch));
        for (int i = 0; i < LAYERS; i++) {
            x = layer("encoder.layer." + i + ".", x);
        }
        vectors = id();
        MeanPool pool = new MeanPool(vectors, x, batch);
        nodes.add(new Node(
                vectors, "vectors", NodeRole.OUTPUT, DType.F32, List.of((long) sequences, (long) WIDTH), pool.reads()));
        steps.add(pool);
    }

    private NodeId layer(String name, NodeId x) {
        NodeId queries = dense(name + "attention.self.query", x, WIDTH, WIDTH);
        NodeId keys = dense(name + "attention.self.key", x, WIDTH, WIDTH);
        NodeId values = dense(name + "attention.self.value", x, WIDTH, WIDTH);
        NodeId mixed = id();
        add(mixed, name + "attention", WIDTH, new Attention(
                mixed,
                queries,
                weight(name + "attention.self.query.bias", WIDTH),
                keys,
                values,
                weight(name + "attention.self.value.bias", WIDTH),
                HEADS,
                batch));
        NodeId middle = sumNorm(name + "attention.output.", mixed, WIDTH, x);
        String intermediate = name + "intermediate.dense";
        NodeId inner = dense(intermediate, middle, INNER, WIDTH);
        steps.add(new BiasGelu(inner, weight(intermediate + ".bias", INNER), INNER, batch));
        return sumNorm(name + "output.", inner, INNER, middle);
    }

    private NodeId dense(String name, NodeId in, int rows, int columns) {
        NodeId out = id();
        Matrix matrix = new Matrix(weight(name + ".weight", rows, columns), format, rows, columns);
        add(out, name, rows, new Dense(out, in, matrix, batch));
        return out;
    }

    /** A product, and the norm of it and what was before. */
    private NodeId sumNorm(String name, NodeId in, int columns, NodeId before) {
        NodeId product = dense(name + "dense", in, WIDTH, columns);
        NodeId out = id();
        add(out, name + "LayerNorm", WIDTH, new SumNorm(
                out,
                product,
                weight(name + "dense.bias", WIDTH),
                before,
                weight(name + "LayerNorm.weight", WIDTH),
                weight(name + "LayerNorm.bias", WIDTH),
                batch));
        return out;
    }

    private NodeId id() {
        return NodeId.of(own++);
    }

    private NodeId input(String name, long elements) {
        NodeId id = id();
        nodes.add(new Node(id, name, NodeRole.INPUT, DType.U32, List.of(elements), List.of()));
        return id;
    }

    private NodeId weight(String name, long... shape) {
        NodeId id = NodeId.of(weights++);
        List<Long> dimensions = Arrays.stream(shape).boxed().toList();
        nodes.add(new Node(id, name, NodeRole.PARAMETER, DType.F32, dimensions, List.of()));
        return id;
    }

    private void add(NodeId out, String name, int columns, KernelStep step) {
        steps.add(step);
        nodes.add(new Node(
                out, name, NodeRole.OP, DType.F32, List.of((long) batch.rows(), (long) columns), step.reads()));
    }

    @Override
    public List<Node> nodes() {
        return nodes;
    }

    /** {@return the shape of the batch, with its inputs} */
    public BatchShape batch() {
        return batch;
    }

    /** {@return the output: F32 [sequences][384]} */
    public NodeId vectors() {
        return vectors;
    }

    /** {@return the steps in the order in which they run} */
    public List<KernelStep> steps() {
        return steps;
    }

    /** {@return the products, each of a matrix of its own} */
    public List<Dense> products() {
        return steps.stream()
                .filter(Dense.class::isInstance)
                .map(Dense.class::cast)
                .toList();
    }
}
