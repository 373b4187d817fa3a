package io.devicearena.onnx.graph;

import io.devicearena.NodeId;
import io.devicearena.plan.PlanGraph;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The graph of an ONNX file with the sizes of all its values: inputs first, then the weights that an operator reads,
 * and the values of the operators in the order of the file.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class OnnxGraph implements PlanGraph {
    private final String name;
    private final List<OnnxNode> nodes;
    private final List<NodeId> outputs;

    /**
     * Makes a graph; {@code OnnxModel.graph} reads one from a file.
     *
     * @param name the name in the file, or empty
     * @param nodes the values, each after those it is made of
     * @param outputs the values that the graph returns
     */
    public OnnxGraph(String name, List<OnnxNode> nodes, List<NodeId> outputs) {
        this.name = Objects.requireNonNull(name, "name");
        this.nodes = List.copyOf(nodes);
        this.outputs = List.copyOf(outputs);
    }

    /** {@return the name in the file, or empty} */
    public String name() {
        return name;
    }

    @Override
    public List<OnnxNode> nodes() {
        return nodes;
    }

    @Override
    public Collection<NodeId> outputs() {
        return outputs;
    }
}
