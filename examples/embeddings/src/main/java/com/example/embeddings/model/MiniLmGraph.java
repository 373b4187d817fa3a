package com.example.embeddings.model;

import com.example.embeddings.Precision;
import com.example.embeddings.steps.BatchShape;
import com.example.embeddings.steps.EmbeddingSum;
import com.example.embeddings.steps.MeanPool;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.attention.FullAttention;
import io.devicearena.kernels.linear.Linear;
import io.devicearena.kernels.linear.LinearPart;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.norm.LayerNorm;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.weights.tensor.TensorType;
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
    private static final int HEAD = WIDTH / HEADS;
    private static final int INNER = 1536;
    private static final int PLACES = 512;
    private static final float EPSILON = 1e-12f;
    private static final int FIRST_OF_A_SHAPE = 1_000; // above the ids of all weights

    record Node(NodeId id, String name, NodeRole role, DType dtype, List<Long> shape, List<NodeId> inputs)
            implements PlanNode {
        @Override
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }
    }

    private final boolean isMirrored;
    private final BatchShape batch;
    private final NodeId vectors;
    private final List<Node> nodes = new ArrayList<>();
    private final List<KernelStep> steps = new ArrayList<>();
    private final List<Matrix> matrices = new ArrayList<>();
    private int weights;
    private int own = FIRST_OF_A_SHAPE;

    /**
     * Makes the graph.
     *
     * @param rows the most rows of tokens, of all sequences together, 1 or more
     * @param sequences the most sequences, 1 or more
     * @param precision of the matrices
     */
    public MiniLmGraph(int rows, int sequences, Precision precision) {
        isMirrored = precision == Precision.F16;
        batch = new BatchShape(
                rows,
                sequences,
                input("ids", rows),
                input("spans", 2L * rows),
                input("ranges", 2L * sequences),
                input("cursor", 4));
        NodeId words = weight("embeddings.word_embeddings.weight", TOKENS, WIDTH);
        NodeId places = weight("embeddings.position_embeddings.weight", PLACES, WIDTH);
        NodeId types = weight("embeddings.token_type_embeddings.weight", 2, WIDTH);
        NodeId sum = id();
        add(sum, "sum", WIDTH, new EmbeddingSum(sum, words, places, types, WIDTH, batch));
        NodeId x = norm("embeddings.LayerNorm", sum);
        for (int i = 0; i < LAYERS; i++) {
            x = layer("encoder.layer." + i + ".", x);
        }
        vectors = id();
        MeanPool pool = new MeanPool(vectors, x, WIDTH, batch);
        nodes.add(new Node(
                vectors, "vectors", NodeRole.OUTPUT, DType.F32, List.of((long) sequences, (long) WIDTH), pool.reads()));
        steps.add(pool);
    }

    private NodeId layer(String name, NodeId x) {
        LinearPart queries = part(name + "attention.self.query", WIDTH, WIDTH);
        LinearPart keys = part(name + "attention.self.key", WIDTH, WIDTH);
        LinearPart values = part(name + "attention.self.value", WIDTH, WIDTH);
        linear(x, queries, keys, values);
        NodeId mixed = id();
        add(mixed, name + "attention", WIDTH, new FullAttention(
                mixed,
                queries.out(),
                keys.out(),
                values.out(),
                new FullAttention.Sequences(batch.spans(), batch.cursor()),
                new FullAttention.Shape(batch.rows(), HEADS, HEAD, (float) (1 / Math.sqrt(HEAD)))));
        LinearPart attended = part(name + "attention.output.dense", WIDTH, WIDTH).adding(x);
        linear(mixed, attended);
        NodeId middle = norm(name + "attention.output.LayerNorm", attended.out());
        LinearPart inner = part(name + "intermediate.dense", INNER, WIDTH).activated(Activation.GELU_ERF);
        linear(middle, inner);
        LinearPart outer = part(name + "output.dense", WIDTH, INNER).adding(middle);
        linear(inner.out(), outer);
        return norm(name + "output.LayerNorm", outer.out());
    }

    private LinearPart part(String name, int rows, int columns) {
        Matrix matrix = new Matrix(weight(name + ".weight", rows, columns), TensorType.F32, rows, columns, isMirrored);
        matrices.add(matrix);
        return LinearPart.of(id(), matrix, weight(name + ".bias", rows));
    }

    private void linear(NodeId in, LinearPart... parts) {
        Linear step = new Linear(in, List.of(parts), batch.rows(), batch.cursor());
        steps.add(step);
        for (LinearPart part : parts) {
            node(part.out(), "product with " + part.matrix().id(), part.matrix().rows(), step);
        }
    }

    private NodeId norm(String name, NodeId in) {
        NodeId out = id();
        add(out, name, WIDTH, new LayerNorm(
                out,
                in,
                weight(name + ".weight", WIDTH),
                weight(name + ".bias", WIDTH),
                batch.rows(),
                WIDTH,
                EPSILON,
                batch.cursor()));
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
        node(out, name, columns, step);
    }

    private void node(NodeId out, String name, int columns, KernelStep step) {
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

    /** {@return the matrices of the products} */
    public List<Matrix> matrices() {
        return matrices;
    }
}
