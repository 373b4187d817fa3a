package com.example.mlp.graph;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A network of dense layers, one behind the other.
 *
 * <p>Its text has a line for the input and one for each layer; {@code #} begins a comment:
 *
 * <pre>
 * input NAME SIZE
 * dense NAME SIZE [relu]
 * </pre>
 *
 * @param inputs floats of one input
 */
public record Network(int inputs, List<Dense> layers) {
    /** The value that the host writes. */
    public static final NodeId INPUT = NodeId.of(0);

    public Network {
        layers = List.copyOf(layers);
    }

    /**
     * Reads a network.
     *
     * @throws IllegalArgumentException if the text is wrong; the message names the line
     */
    public static Network parse(String text) {
        int inputs = 0;
        List<Dense> layers = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String[] words = line.replaceFirst("#.*", "").strip().split("\\s+");
            switch (words[0]) {
                case "" -> {}
                case "input" -> {
                    require(words.length == 3 && inputs == 0, number, "one 'input NAME SIZE'", line);
                    inputs = size(words[2], number);
                }
                case "dense" -> {
                    boolean relu = words.length == 4 && words[3].equals("relu");
                    require(relu || words.length == 3, number, "'dense NAME SIZE [relu]'", line);
                    require(inputs > 0, number, "'input NAME SIZE' before all layers", line);
                    layers.add(layer(words[1], layers, inputs, size(words[2], number), relu, Long.MAX_VALUE));
                }
                default -> require(false, number, "'input' or 'dense'", line);
            }
        }
        require(!layers.isEmpty(), number, "1 layer or more", "none");
        return new Network(inputs, layers);
    }

    private static Dense layer(
            String name, List<Dense> before, int networkInputs, int outputs, boolean relu, long maxBlockBytes) {
        int inputs = before.isEmpty() ? networkInputs : before.getLast().outputs();
        NodeId x = before.isEmpty() ? INPUT : before.getLast().y();
        return Dense.of(name, inputs, outputs, relu, x, x.value() + 1, maxBlockBytes);
    }

    /**
     * Returns this network with its weights in blocks of whole rows, for devices that hold or bind only so much of a
     * matrix. Matrices that are small enough are one block.
     *
     * @param maxBlockBytes bytes of a block, with weights of 4 bytes
     * @throws IllegalArgumentException if a row is larger
     */
    public Network inBlocks(long maxBlockBytes) {
        List<Dense> divided = new ArrayList<>();
        for (Dense layer : layers) {
            divided.add(layer(layer.name(), divided, inputs, layer.outputs(), layer.relu(), maxBlockBytes));
        }
        return new Network(inputs, divided);
    }

    private static int size(String word, int line) {
        try {
            int size = Integer.parseInt(word);
            if (size > 0) {
                return size;
            }
        } catch (NumberFormatException e) {
            // falls through to the message below
        }
        throw new IllegalArgumentException("line " + line + ": expected a size of 1 or more, got '" + word + "'");
    }

    private static void require(boolean holds, int line, String what, String got) {
        if (!holds) {
            throw new IllegalArgumentException("line " + line + ": expected " + what + ", got '" + got + "'");
        }
    }

    /** Floats of one output. */
    public int outputs() {
        return layers.getLast().outputs();
    }

    /** The value that the host reads. */
    public NodeId output() {
        return layers.getLast().y();
    }

    /** Numbers that are learned. */
    public long parameters() {
        return layers.stream()
                .mapToLong(layer -> (long) layer.inputs() * layer.outputs() + layer.outputs())
                .sum();
    }

    /**
     * What a planner sees: for each layer the weights, the bias and the value that it makes.
     *
     * @param batch inputs that are computed together
     * @param weights the type in which weights are declared
     */
    public PlanGraph graph(int batch, DType weights) {
        List<PlanNode> nodes = new ArrayList<>();
        nodes.add(new Node(INPUT, "input", NodeRole.INPUT, DType.F32, (long) batch * inputs, List.of()));
        for (Dense layer : layers) {
            List<NodeId> read = new ArrayList<>(List.of(layer.x()));
            for (Block block : layer.blocks()) {
                String name = layer.name() + ".weights" + (layer.blocks().size() > 1 ? "." + block.firstRow() : "");
                long elements = (long) block.rows() * layer.inputs();
                nodes.add(new Node(block.id(), name, NodeRole.PARAMETER, weights, elements, List.of()));
                read.add(block.id());
            }
            read.add(layer.bias());
            nodes.add(new Node(
                    layer.bias(), layer.name() + ".bias", NodeRole.PARAMETER, DType.F32, layer.outputs(), List.of()));
            nodes.add(new Node(
                    layer.y(),
                    layer.name(),
                    layer == layers.getLast() ? NodeRole.OUTPUT : NodeRole.OP,
                    DType.F32,
                    (long) batch * layer.outputs(),
                    read));
        }
        return () -> nodes;
    }
}
