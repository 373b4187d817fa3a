package io.devicearena.cli.input;

import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;
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

    @Override
    public void validate(PlanResult planned, PlanOptions options) {
        PlanValidator.validate(planned.plan(), network, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
    }
}
