package io.devicearena.cli.input;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.weights.KeyValueCache;
import io.devicearena.weights.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A graph without ops: the tensors of a file, and perhaps a cache. Tensors whose type no arena has are values of their
 * bytes.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class WeightGraph implements PlanGraph {
    private final List<Value> values = new ArrayList<>();

    /**
     * Makes the graph.
     *
     * @param tensors the tensors; their names are those of the values
     */
    public WeightGraph(Collection<Tensor> tensors) {
        for (Tensor tensor : tensors) {
            Optional<DType> dtype = tensor.type().dtype();
            add(
                    tensor.name(),
                    NodeRole.PARAMETER,
                    dtype.orElse(DType.U8),
                    dtype.isPresent() ? tensor.shape() : List.of(tensor.bytes()));
        }
    }

    /**
     * Makes the graph with the cache of a language model.
     *
     * @param tensors the tensors
     * @param cache what the model keeps for each token
     * @param tokens how many tokens it keeps
     * @param dtype the type of keys and values
     */
    public WeightGraph(Collection<Tensor> tensors, KeyValueCache cache, long tokens, DType dtype) {
        this(tensors);
        for (int i = 0; i < cache.layers().size(); i++) {
            KeyValueCache.Layer layer = cache.layers().get(i);
            add("layer " + i + " keys", NodeRole.STATE, dtype, List.of(tokens, layer.keyElements()));
            add("layer " + i + " values", NodeRole.STATE, dtype, List.of(tokens, layer.valueElements()));
        }
    }

    private void add(String name, NodeRole role, DType dtype, List<Long> shape) {
        values.add(new Value(NodeId.of(values.size()), name, role, dtype, shape));
    }

    @Override
    public List<? extends PlanNode> nodes() {
        return values;
    }

    private record Value(NodeId id, String name, NodeRole role, DType dtype, List<Long> shape) implements PlanNode {

        @Override
        public long elements() {
            return shape.stream().reduce(1L, Math::multiplyExact);
        }

        @Override
        public List<NodeId> inputs() {
            return List.of();
        }
    }
}
