package com.example.minilm;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;

/** The graph of all-MiniLM-L6-v2 for one sequence length. Parameters have the same ids for every length. */
final class Bert implements PlanGraph {
    static final int LAYERS = 6, HIDDEN = 384, HEADS = 12, HEAD = 32, INNER = 1536, WORDS = 30522, POSITIONS = 512;
    static final int BLOCK = 32; // elements of an I8 matrix that have one scale
    static final String SCALES = ".scales";

    enum Kind { DATA, EMBED, NORM, LINEAR, ATTENTION, POOL }

    record Node(NodeId id, String name, Kind kind, NodeRole role, DType dtype, List<Long> shape, List<NodeId> inputs)
            implements PlanNode {
        @Override
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }

        /** The length of a row. */
        int columns() {
            return shape.getLast().intValue();
        }
    }

    final int tokens;
    final DType matrices;
    final NodeId ids;
    final NodeId mask;
    final NodeId output;
    private final List<Node> nodes = new ArrayList<>();
    private int parameters;

    /** Makes the graph for a multiple of 4 tokens, at most 512, with matrices of F32, F16 or I8. */
    Bert(int tokens, DType matrices) {
        this.tokens = tokens;
        this.matrices = matrices;
        ids = add("ids", Kind.DATA, NodeRole.INPUT, DType.I32, List.of((long) tokens));
        mask = add("mask", Kind.DATA, NodeRole.INPUT, DType.F32, List.of((long) tokens));
        NodeId words = parameter("embeddings.word_embeddings.weight", DType.F32, WORDS, HIDDEN);
        NodeId positions = parameter("embeddings.position_embeddings.weight", DType.F32, POSITIONS, HIDDEN);
        NodeId types = parameter("embeddings.token_type_embeddings.weight", DType.F32, 2, HIDDEN);
        NodeId x = op("embeddings", Kind.EMBED, HIDDEN, ids, words, positions, types);
        x = norm("embeddings.LayerNorm", x, x); // the norm of x + x is that of x
        for (int i = 0; i < LAYERS; i++) {
            String layer = "encoder.layer." + i + ".";
            NodeId query = linear(layer + "attention.self.query", x, HIDDEN, HIDDEN);
            NodeId key = linear(layer + "attention.self.key", x, HIDDEN, HIDDEN);
            NodeId value = linear(layer + "attention.self.value", x, HIDDEN, HIDDEN);
            NodeId context = op(layer + "attention.self", Kind.ATTENTION, HIDDEN, query, mask, key, value);
            NodeId mixed = linear(layer + "attention.output.dense", context, HIDDEN, HIDDEN);
            NodeId h = norm(layer + "attention.output.LayerNorm", mixed, x);
            NodeId inner = linear(layer + "intermediate.dense", h, INNER, HIDDEN);
            x = norm(layer + "output.LayerNorm", linear(layer + "output.dense", inner, HIDDEN, INNER), h);
        }
        output = add("embedding", Kind.POOL, NodeRole.OUTPUT, DType.F32, List.of((long) HIDDEN), x, mask);
    }

    private NodeId add(String name, Kind kind, NodeRole role, DType dtype, List<Long> shape, NodeId... inputs) {
        NodeId id = NodeId.of(role == NodeRole.PARAMETER ? parameters++ : 1_000 + nodes.size());
        nodes.add(new Node(id, name, kind, role, dtype, shape, List.of(inputs)));
        return id;
    }

    private NodeId parameter(String name, DType dtype, long rows, long columns) {
        return add(name, Kind.DATA, NodeRole.PARAMETER, dtype, List.of(rows, columns));
    }

    private NodeId op(String name, Kind kind, long columns, NodeId... inputs) {
        return add(name, kind, NodeRole.OP, DType.F32, List.of((long) tokens, columns), inputs);
    }

    private NodeId norm(String name, NodeId x, NodeId residual) {
        NodeId gamma = parameter(name + ".weight", DType.F32, 1, HIDDEN);
        return op(name, Kind.NORM, HIDDEN, x, residual, gamma, parameter(name + ".bias", DType.F32, 1, HIDDEN));
    }

    /** A product with a matrix; the inner one ends with GELU. */
    private NodeId linear(String name, NodeId x, long rows, long columns) {
        String weight = name + ".weight";
        NodeId w = parameter(weight, matrices, rows, columns);
        NodeId bias = parameter(name + ".bias", DType.F32, 1, rows);
        if (matrices != DType.I8) {
            return op(name, Kind.LINEAR, rows, x, w, bias);
        }
        return op(name, Kind.LINEAR, rows, x, w, bias, parameter(weight + SCALES, DType.F32, rows, columns / BLOCK));
    }

    @Override
    public List<Node> nodes() {
        return nodes;
    }

    /** The steps in order: what an engine runs. */
    List<Node> steps() {
        return nodes.stream().filter(node -> node.kind() != Kind.DATA).toList();
    }
}
