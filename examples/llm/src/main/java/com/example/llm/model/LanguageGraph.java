package com.example.llm.model;

import com.example.llm.ModelException;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.attention.AttentionInputs;
import io.devicearena.kernels.attention.AttentionShape;
import io.devicearena.kernels.attention.DecodeAttention;
import io.devicearena.kernels.attention.HeadNorms;
import io.devicearena.kernels.attention.PrefillAttention;
import io.devicearena.kernels.attention.Rope;
import io.devicearena.kernels.attention.RopeAndCache;
import io.devicearena.kernels.matrix.AttentionProduct;
import io.devicearena.kernels.matrix.Embedding;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.matrix.NormedGatedProduct;
import io.devicearena.kernels.matrix.NormedProduct;
import io.devicearena.kernels.matrix.NormedRows;
import io.devicearena.kernels.matrix.Product;
import io.devicearena.kernels.matrix.ProductPart;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The graph of one run over some rows of tokens, and its steps. Graphs of several numbers of rows give weights, caches
 * and the cursor the same ids, so that they share them in one arena.
 */
final class LanguageGraph implements PlanGraph {
    private static final int FIRST_OF_A_RUN = 1_000_000; // above the ids of all shared values

    /** Positions of a split of an attention over one row: those of a chunk of its kernel. */
    private static final int SPLIT_POSITIONS = 32;

    /**
     * More keep more of a device busy, but each workgroup of the product behind reads all of them: 8 serve a window of
     * 512 in two chunks each.
     */
    private static final int MOST_SPLITS = 8;

    /** Of the splits of all heads, so many run at the same time on a large device, a processor each. */
    private static final int MOST_BLOCKS = 128;

    record Node(
            NodeId id, String name, NodeRole role, DType dtype, List<Long> shape, List<NodeId> inputs, Optional<NodeId> updates)
            implements PlanNode {
        @Override
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }

        long bytes() {
            return elements() * dtype.bytes();
        }
    }

    private final ModelConfig config;
    private final WeightFile file;
    private final int rows;
    private final int context;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> made = new ArrayList<>(); // values that steps write, not yet in nodes
    private final Map<NodeId, Node> states = new HashMap<>();
    private final Map<NodeId, NodeId> latest = new HashMap<>(); // of a state: its last update
    private final List<ModelStep> steps = new ArrayList<>();
    private final Set<String> used = new HashSet<>(); // tensors
    private int shared;
    private int own = FIRST_OF_A_RUN;

    final NodeId cursor;
    final NodeId logits;
    final Optional<NodeId> tokens;
    final int vocabulary;

    /**
     * Makes the graph.
     *
     * @param rows of tokens in a run; with 1 the token is that of the cursor
     * @param context the longest sequence
     */
    LanguageGraph(ModelConfig config, WeightFile file, int rows, int prefillRows, int context, Sampling sampling) {
        this.config = config;
        this.file = file;
        this.rows = rows;
        this.context = context;
        int width = config.width();
        Tensor table = tensor("token_embd");
        vocabulary = Math.toIntExact(table.shape().getFirst());
        Matrix embedding = matrix("token_embd", vocabulary, width);
        NodeId outputNorm = vector("output_norm", width);
        Matrix head = file.tensor("output.weight").isPresent() ? matrix("output", vocabulary, width) : embedding;
        cursor = state("cursor", DType.U32, Cursor.WORDS);
        tokens = rows == 1
                ? Optional.empty()
                : Optional.of(node("tokens", NodeRole.INPUT, DType.U32, List.of((long) rows)));
        NodeId x = value("embedded", width);
        add("embedding", new Embedding(x, embedding, tokens.orElse(null), cursor, rows, config.embeddingScale()));
        NodeId update = null;
        NodeId updateNorm = null;
        for (int layer = 0; layer < config.layers(); layer++) {
            String name = "blk." + layer + ".";
            NormedRows in = validRows(x, vector(name + "attn_norm", width));
            if (update != null) {
                x = value(name + "x", width);
                in = in.adding(update, updateNorm, x);
            }
            NodeId mixed = attention(layer, name, in, prefillRows);
            NodeId sum = value(name + "x2", width);
            NormedRows middle = validRows(x, vector(name + "ffn_norm", width))
                    .adding(mixed, config.gemma() ? vector(name + "post_attention_norm", width) : null, sum);
            NodeId gated = value(name + "ffn_gate", config.inner());
            add(name + "ffn_gate", new NormedGatedProduct(
                    gated,
                    middle,
                    matrix(name + "ffn_gate", config.inner(), width),
                    matrix(name + "ffn_up", config.inner(), width),
                    config.activation()));
            update = value(name + "ffn_down", width);
            add(name + "ffn_down", new Product(update, gated, matrix(name + "ffn_down", width, config.inner()), rows, cursor));
            updateNorm = config.gemma() ? vector(name + "post_ffw_norm", width) : null;
            x = sum;
        }
        logits = made("logits", NodeRole.OUTPUT, DType.F32, List.of((long) vocabulary));
        NormedRows last = NormedRows.of(x, outputNorm, config.epsilon(), width, rows)
                .adding(update, updateNorm, value("last", width))
                .lastOf(cursor);
        add("head", new NormedProduct(last, List.of(ProductPart.whole(head, logits))));
        NodeId scratch = made("scratch", NodeRole.OP, DType.U32, List.of(sampling.scratchWords(vocabulary)));
        add("choice", sampling.step(logits, vocabulary, scratch, cursor));
        requireAllUsed();
    }

    /**
     * Refuses a tensor that no step reads, such as a bias of another product: without it the text would be wrong. No
     * tensor of the two architectures may be left out.
     */
    private void requireAllUsed() {
        file.tensors().keySet().stream().filter(name -> !used.contains(name)).findFirst().ifPresent(name -> {
            throw new ModelException("model: expected tensors that this engine uses, got '" + name
                    + "' too, without which the text would be wrong");
        });
    }

    /** The rows of a run that the cursor counts, normed; one row is always valid. */
    private NormedRows validRows(NodeId x, NodeId norm) {
        NormedRows all = NormedRows.of(x, norm, config.epsilon(), config.width(), rows);
        return rows == 1 ? all : all.validOf(cursor);
    }

    /** The steps from the normed rows to the output of the attention: of one row in splits, of many in tiles. */
    private NodeId attention(int layer, String name, NormedRows in, int prefillRows) {
        int width = config.width();
        int wide = config.heads() * config.headDim();
        int narrow = config.kvHeads() * config.headDim();
        NodeId q = value(name + "attn_q", wide);
        NodeId k = value(name + "attn_k", narrow);
        NodeId v = value(name + "attn_v", narrow);
        add(name + "attn_qkv", new NormedProduct(in, List.of(
                part(name + "attn_q", wide, q), part(name + "attn_k", narrow, k), part(name + "attn_v", narrow, v))));
        HeadNorms norms = config.gemma()
                ? new HeadNorms(
                        vector(name + "attn_q_norm", config.headDim()),
                        vector(name + "attn_k_norm", config.headDim()),
                        config.epsilon())
                : null;
        int window = config.hasWindow(layer) ? config.window() : 0;
        int cacheRows = window > 0 ? Math.min(context, window + prefillRows) : context;
        NodeId keys = state(name + "keys", DType.F32, (long) cacheRows * narrow);
        NodeId values = state(name + "values", DType.F32, (long) cacheRows * narrow);
        AttentionInputs inputs = new AttentionInputs(cursor, q, k, v, keys, values);
        AttentionShape shape = new AttentionShape(
                config.heads(), config.kvHeads(), config.headDim(), cacheRows, window, config.scoreScale());
        // pairs of both halves in Gemma, of neighbours in Llama, whose files are written for that
        Rope rope = new Rope(config.ropeBase(layer), config.headDim(), !config.gemma(), divisors(layer));
        Matrix output = matrix(name + "attn_output", width, wide);
        NodeId mixed = value(name + "attn_output", width);
        if (rows == 1) {
            int most = Math.clamp(MOST_BLOCKS / config.heads(), 1, MOST_SPLITS);
            int splits = Math.clamp((window > 0 ? window : context) / SPLIT_POSITIONS, 1, most);
            NodeId partials = made(name + "partials", NodeRole.OP, DType.F32,
                    List.of((long) config.heads(), (long) splits, config.headDim() + 4L));
            add(name + "attention", new DecodeAttention(partials, inputs, shape, rope, norms, splits));
            add(name + "attn_output",
                    new AttentionProduct(mixed, partials, output, config.heads(), config.headDim(), splits));
        } else {
            NodeId rotated = value(name + "rotated", wide);
            NodeId answer = value(name + "attention", wide);
            add(name + "rope", new RopeAndCache(rotated, inputs, rows, shape, rope, norms));
            add(name + "attention", new PrefillAttention(answer, rotated, inputs, rows, shape));
            add(name + "attn_output", new Product(mixed, answer, output, rows, cursor));
        }
        return mixed;
    }

    /** A matrix that multiplies the residual stream, with its bias where a Llama has one. */
    private ProductPart part(String name, int matrixRows, NodeId out) {
        ProductPart part = ProductPart.whole(matrix(name, matrixRows, config.width()), out);
        return optional(name + ".bias", matrixRows).map(this::vector).map(part::withBias).orElse(part);
    }

    /** Of a layer that sees the whole context, for each pair: that of the model, times that of a tensor of Llama. */
    private List<Double> divisors(int layer) {
        double all = config.ropeDivisor(layer);
        Optional<Tensor> own = optional("rope_freqs.weight", config.headDim() / 2);
        if (own.isEmpty()) {
            return Collections.nCopies(config.headDim() / 2, all);
        }
        Tensor tensor = own.get();
        float[] factors = new float[config.headDim() / 2];
        tensor.type().decode(file.bytes(tensor), 0, factors.length, factors, 0);
        return IntStream.range(0, factors.length).mapToObj(i -> all * factors[i]).toList();
    }

    /** A vector that a file of Llama may have; one of Gemma 3 has none. */
    private Optional<Tensor> optional(String name, int size) {
        return config.gemma() ? Optional.empty() : file.tensor(name).map(tensor -> checked(tensor, List.of((long) size)));
    }

    private Tensor tensor(String name) {
        return file.tensor(name + ".weight")
                .orElseThrow(() -> new ModelException("model: expected a tensor '" + name + ".weight', got none"));
    }

    private Tensor checked(Tensor tensor, List<Long> shape) {
        if (!tensor.shape().equals(shape)) {
            throw new ModelException(tensor.name() + ": expected shape " + shape + ", got " + tensor.shape());
        }
        used.add(tensor.name());
        return tensor;
    }

    private NodeId vector(String name, int size) {
        return vector(checked(tensor(name), List.of((long) size)));
    }

    private NodeId vector(Tensor tensor) {
        return node(tensor.name(), NodeRole.PARAMETER, DType.F32, tensor.shape());
    }

    private Matrix matrix(String name, int matrixRows, int columns) {
        Tensor tensor = checked(tensor(name), List.of((long) matrixRows, (long) columns));
        if (!Matrix.TYPES.contains(tensor.type())) {
            throw new ModelException(
                    tensor.name() + ": expected one of the types " + Matrix.TYPES + ", got " + tensor.type());
        }
        List<Long> shape = tensor.type().isBlocked() ? List.of(tensor.bytes()) : tensor.shape();
        NodeId id = node(tensor.name(), NodeRole.PARAMETER, tensor.type().dtype().orElse(DType.U8), shape);
        return new Matrix(id, tensor.type(), matrixRows, columns);
    }

    private NodeId node(String name, NodeRole role, DType dtype, List<Long> shape) {
        NodeId id = NodeId.of(role.isShared() ? shared++ : own++);
        nodes.add(new Node(id, name, role, dtype, shape, List.of(), Optional.empty()));
        return id;
    }

    private NodeId state(String name, DType dtype, long elements) {
        NodeId id = node(name, NodeRole.STATE, dtype, List.of(elements));
        states.put(id, nodes.getLast());
        return id;
    }

    private NodeId value(String name, int columns) {
        return made(name, NodeRole.OP, DType.F32, List.of((long) rows, (long) columns));
    }

    private NodeId made(String name, NodeRole role, DType dtype, List<Long> shape) {
        NodeId id = NodeId.of(own++);
        made.add(new Node(id, name, role, dtype, shape, List.of(), Optional.empty()));
        return id;
    }

    /**
     * Adds a step, and a node for each value that it writes. A node has the inputs of the whole step, and the nodes
     * before it of the step: so all that the step reads and writes lies side by side.
     */
    private void add(String label, KernelStep step) {
        steps.add(new ModelStep(label, step));
        List<NodeId> inputs = new ArrayList<>(
                step.reads().stream().map(id -> latest.getOrDefault(id, id)).distinct().toList());
        for (NodeId written : step.writes()) {
            Node state = states.get(written);
            NodeId id = written;
            if (state == null) {
                Node value = made.stream().filter(node -> node.id.equals(written)).findFirst().orElseThrow();
                nodes.add(new Node(
                        id, value.name, value.role, value.dtype, value.shape, List.copyOf(inputs), Optional.empty()));
            } else {
                id = NodeId.of(own++);
                NodeId before = latest.getOrDefault(written, written);
                nodes.add(new Node(
                        id, state.name, NodeRole.OP, state.dtype, state.shape, List.copyOf(inputs), Optional.of(before)));
                latest.put(written, id);
                inputs.remove(before);
            }
            inputs.add(id);
        }
    }

    /** The bytes of the largest cache. */
    long largestStateBytes() {
        return states.values().stream().mapToLong(Node::bytes).max().orElseThrow();
    }

    int rows() {
        return rows;
    }

    List<ModelStep> steps() {
        return steps;
    }

    @Override
    public List<Node> nodes() {
        return nodes;
    }
}
