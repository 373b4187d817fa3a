package io.devicearena.cli.input;

import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A graph.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param network the graph
 * @param isOnnx whether it is of an ONNX file: planned with the types of its values, and with what its operators share
 */
public record GraphInput(FileGraph network, boolean isOnnx) implements PlanInput {
    @Override
    public String name() {
        return network.name();
    }

    @Override
    public int count() {
        return network.nodes().size();
    }

    @Override
    public Optional<FileGraph> graph() {
        return Optional.of(network);
    }

    @Override
    public PlanInput sharingByOp() {
        return isOnnx ? this : new GraphInput(OnnxInPlaceOps.declared(network), false);
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
            throw GraphErrorPositions.placed(e, List.of(network));
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
            throw GraphErrorPositions.placed(e, List.of(network));
        }
    }

    @Override
    public void validate(PlanResult planned, PlanOptions options) {
        PlanValidator.validate(planned.plan(), network, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
    }
}
