package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PhasedGraph;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A graph, or a forward graph and the backward graph that runs after it.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class GraphInput implements PlanInput {
    private final List<FileGraph> files;
    private final PlanGraph network;
    private final boolean isOnnx;
    private final Map<NodeId, PlanNode> nodes;

    private GraphInput(List<FileGraph> files, PlanGraph network, boolean isOnnx) {
        this.files = files;
        this.network = network;
        this.isOnnx = isOnnx;
        this.nodes = network.nodes().stream().collect(Collectors.toUnmodifiableMap(PlanNode::id, Function.identity()));
    }

    /**
     * Makes an input of one file.
     *
     * @param isOnnx whether it is an ONNX file: planned with the types of its values, and with what its operators share
     */
    GraphInput(FileGraph graph, boolean isOnnx) {
        this(List.of(graph), graph, isOnnx);
    }

    /** Makes an input of a forward graph and a backward graph. */
    static GraphInput training(FileGraph forward, FileGraph backward) {
        List<FileGraph> files = List.of(forward, backward);
        try {
            return new GraphInput(files, PhasedGraph.of("forward", forward).then("backward", backward), false);
        } catch (InvalidGraphException e) {
            throw GraphErrorPositions.placed(e, files);
        }
    }

    /** The graph of each file. */
    List<FileGraph> files() {
        return files;
    }

    /** Whether it is of an ONNX file. */
    boolean isOnnx() {
        return isOnnx;
    }

    /**
     * The graph that is planned.
     *
     * @return that of the file, or the joined one of two
     */
    public PlanGraph network() {
        return network;
    }

    @Override
    public String name() {
        return files.stream().map(FileGraph::name).collect(Collectors.joining(" + "));
    }

    @Override
    public int count() {
        return nodes.size();
    }

    @Override
    public Optional<GraphInput> graph() {
        return Optional.of(this);
    }

    /** The nodes by id. */
    Map<NodeId, PlanNode> nodes() {
        return nodes;
    }

    @Override
    public Optional<PlanNode> node(NodeId id) {
        return Optional.ofNullable(nodes.get(id));
    }

    /**
     * The operator that makes a value.
     *
     * @param id the value
     * @return its name, empty if it is not known
     */
    public String op(NodeId id) {
        return switch (nodes.get(id)) {
            case FileNode node -> node.op();
            case OnnxNode node -> node.op();
            case null, default -> "";
        };
    }

    /**
     * The number of elements in all parameters together.
     *
     * @return 0 or more
     */
    public long parameterCount() {
        return network.nodes().stream()
                .filter(node -> node.role() == NodeRole.PARAMETER && node.view().isEmpty())
                .mapToLong(PlanNode::elements)
                .sum();
    }

    /**
     * Whether the graph lets values share slots while both are live.
     *
     * @return true when a node declares inputs that it may overwrite, or a concatenation
     */
    public boolean maySlotsBeShared() {
        return network.nodes().stream().anyMatch(node -> !node.inPlaceInputs().isEmpty() || node.isConcatenation());
    }

    @Override
    public PlanOptions typed(PlanOptions options) {
        return isOnnx ? options.withDeclaredTypes() : options;
    }

    @Override
    public long usualAlignment() {
        return PlanOptions.DEFAULT_ALIGNMENT;
    }

    @Override
    public PlanResult plan(PlanOptions options) {
        try {
            return MemoryPlanner.plan(network, options);
        } catch (InvalidGraphException e) {
            throw GraphErrorPositions.placed(e, files);
        }
    }

    /**
     * Plans a graph with free dimensions for all their sizes, and checks the plans.
     *
     * @param table upper bounds for further, smaller plans in the same arena
     * @param options how to plan it
     * @return the plans; that for all sizes is the last
     * @throws io.devicearena.cli.message.InputException if the graph cannot be planned
     */
    public FamilyPlan plans(List<Map<String, Long>> table, PlanOptions options) {
        Map<String, PlanGraph> graphs = FamilyPlan.table(network, table);
        try {
            FamilyPlan plans = FamilyPlan.of(graphs, options);
            PlanValidator.validate(plans, graphs);
            return plans;
        } catch (InvalidGraphException e) {
            throw GraphErrorPositions.placed(e, files);
        }
    }

    @Override
    public void validate(PlanResult planned, PlanOptions options) {
        PlanValidator.validate(planned.plan(), network, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
    }
}
