package com.example.minilm;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The graph of all-MiniLM-L6-v2 for one sequence length. Parameters have the same ids for every length. */
final class Bert implements PlanGraph {
    static final int LAYERS = 6, HIDDEN = 384, HEADS = 12, HEAD = 32, INNER = 1536, VOCABULARY = 30522, POSITIONS = 512;
    static final String SCALE = ".scale";

    enum Kind { DATA, EMBED, NORM, LINEAR, ATTENTION, POOL }

    record Node(NodeId id, String name, Kind kind, NodeRole role, DType dtype, List<Long> shape, List<NodeId> inputs)
            implements PlanNode {
        @Override
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }

        /** The length of a row of the value. */
        int columns() {
            return shape.getLast().intValue();
        }

        /** Whether a norm adds its second input; the first norm has its input twice. */
        boolean adds() {
            return !inputs.get(0).equals(inputs.get(1));
        }

        /** Whether a linear step ends with GELU. */
        boolean gelu() {
            return columns() == INNER;
        }
    }

    final int tokens;
    final NodeId ids;
    final NodeId mask;
    final NodeId output;
    final DType matrices;
    private final List<Node> nodes = new ArrayList<>();
    private int parameters;

    /**
     * Makes the graph.
     *
     * @param tokens the sequence length, a multiple of 4, at most 512
     * @param matrices the type of the matrices: F32, F16, or I8 with a scale for each row
     */
    Bert(int tokens, DType matrices) {
        this.tokens = tokens;
        this.matrices = matrices;
        ids = add("ids", Kind.DATA, NodeRole.INPUT, DType.I32, List.of(), tokens);
        mask = add("mask", Kind.DATA, NodeRole.INPUT, DType.F32, List.of(), tokens);
        NodeId words = parameter("embeddings.word_embeddings.weight", DType.F32, VOCABULARY, HIDDEN);
        NodeId positions = parameter("embeddings.position_embeddings.weight", DType.F32, POSITIONS, HIDDEN);
        NodeId types = parameter("embeddings.token_type_embeddings.weight", DType.F32, 2, HIDDEN);
        NodeId x = op("embeddings", Kind.EMBED, HIDDEN, ids, words, positions, types);
        x = norm("embeddings.LayerNorm", x, x);
        for (int i = 0; i < LAYERS; i++) {
            String layer = "encoder.layer." + i + ".";
            NodeId query = linear(layer + "attention.self.query", x, HIDDEN, HIDDEN);
            NodeId key = linear(layer + "attention.self.key", x, HIDDEN, HIDDEN);
            NodeId value = linear(layer + "attention.self.value", x, HIDDEN, HIDDEN);
            NodeId context = op(layer + "attention.self", Kind.ATTENTION, HIDDEN, query, key, value, mask);
            NodeId mixed = linear(layer + "attention.output.dense", context, HIDDEN, HIDDEN);
            NodeId h = norm(layer + "attention.output.LayerNorm", mixed, x);
            NodeId inner = linear(layer + "intermediate.dense", h, INNER, HIDDEN);
            NodeId outer = linear(layer + "output.dense", inner, HIDDEN, INNER);
            x = norm(layer + "output.LayerNorm", outer, h);
        }
        output = add("embedding", Kind.POOL, NodeRole.OUTPUT, DType.F32, List.of(x, mask), HIDDEN);
    }

    private NodeId add(String name, Kind kind, NodeRole role, DType dtype, List<NodeId> inputs, long... shape) {
        boolean parameter = role == NodeRole.PARAMETER;
        NodeId id = NodeId.of(parameter ? parameters++ : 1_000 + nodes.size());
        nodes.add(new Node(id, name, kind, role, dtype, Arrays.stream(shape).boxed().toList(), inputs));
        return id;
    }

    private NodeId parameter(String name, DType dtype, long... shape) {
        return add(name, Kind.DATA, NodeRole.PARAMETER, dtype, List.of(), shape);
    }

    private NodeId op(String name, Kind kind, long columns, NodeId... inputs) {
        return add(name, kind, NodeRole.OP, DType.F32, List.of(inputs), tokens, columns);
    }

    private NodeId norm(String name, NodeId x, NodeId residual) {
        NodeId gamma = parameter(name + ".weight", DType.F32, HIDDEN);
        NodeId beta = parameter(name + ".bias", DType.F32, HIDDEN);
        return op(name, Kind.NORM, HIDDEN, x, residual, gamma, beta);
    }

    private NodeId linear(String name, NodeId x, long rows, long columns) {
        NodeId weight = parameter(name + ".weight", matrices, rows, columns);
        NodeId bias = parameter(name + ".bias", DType.F32, rows);
        return matrices == DType.I8
                ? op(name, Kind.LINEAR, rows, x, weight, bias, parameter(name + ".weight" + SCALE, DType.F32, rows))
                : op(name, Kind.LINEAR, rows, x, weight, bias);
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
