package io.devicearena.cli.input;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.weights.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A graph of parameters alone: the tensors of a file. Tensors whose type no arena has are values of their bytes.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class WeightGraph implements PlanGraph {
    private final List<Parameter> parameters = new ArrayList<>();

    /**
     * Makes the graph.
     *
     * @param tensors the tensors; their names are those of the values
     */
    public WeightGraph(Collection<Tensor> tensors) {
        for (Tensor tensor : tensors) {
            parameters.add(Parameter.of(NodeId.of(parameters.size()), tensor));
        }
    }

    @Override
    public List<? extends PlanNode> nodes() {
        return parameters;
    }

    private record Parameter(NodeId id, String name, DType dtype, List<Long> shape) implements PlanNode {
        static Parameter of(NodeId id, Tensor tensor) {
            Optional<DType> dtype = tensor.type().dtype();
            return dtype.isPresent()
                    ? new Parameter(id, tensor.name(), dtype.get(), tensor.shape())
                    : new Parameter(id, tensor.name(), DType.U8, List.of(tensor.bytes()));
        }

        @Override
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }

        @Override
        public NodeRole role() {
            return NodeRole.PARAMETER;
        }

        @Override
        public List<NodeId> inputs() {
            return List.of();
        }
    }
}
