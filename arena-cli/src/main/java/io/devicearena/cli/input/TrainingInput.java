package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PhasedGraph;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.validation.PlanValidator;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A forward graph and the backward graph that runs after it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param forward the forward graph
 * @param backward the backward graph
 */
public record TrainingInput(FileGraph forward, FileGraph backward) implements PlanInput {
    @Override
    public String name() {
        return forward.name() + " + " + backward.name();
    }

    @Override
    public int count() {
        return joined().nodes().size();
    }

    @Override
    public long usualAlignment() {
        return PlanOptions.DEFAULT_ALIGNMENT;
    }

    private FileGraph joined() {
        Set<NodeId> made = forward.ids();
        List<FileNode> nodes = new ArrayList<>(forward.nodes());
        backward.nodes().stream().filter(node -> !made.contains(node.id())).forEach(nodes::add);
        Set<NodeId> outputs = new LinkedHashSet<>(forward.outputs());
        outputs.addAll(backward.outputs());
        return new FileGraph(forward.file(), name(), nodes, List.copyOf(outputs), forward.outputsPlace());
    }

    @Override
    public Optional<FileGraph> graph() {
        return Optional.of(joined());
    }

    @Override
    public PlanInput sharingByOp() {
        return new TrainingInput(OnnxInPlaceOps.declared(forward), OnnxInPlaceOps.declared(backward));
    }

    private PhasedGraph step() {
        return PhasedGraph.of("forward", forward).then("backward", backward);
    }

    @Override
    public PlanResult plan(PlanOptions options) {
        try {
            return MemoryPlanner.plan(step(), options);
        } catch (InvalidGraphException e) {
            throw GraphErrorPositions.placed(e, List.of(forward, backward));
        }
    }

    @Override
    public void validate(PlanResult planned, PlanOptions options) {
        PlanValidator.validate(planned.plan(), step(), options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
    }
}
