package io.devicearena.weights.internal.loading;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A tensor, and the value that it goes into.
 *
 * @param converted the type to convert to, or empty where the bytes go as they are
 * @param isTransposed whether rows become columns; then {@code converted} is present
 */
public record Assignment(Tensor tensor, NodeId value, Optional<DType> converted, boolean isTransposed) {
    /** The types that integers are narrowed to, each number checked. */
    private static final Map<TensorType, Set<DType>> NARROWED = Map.of(
            TensorType.I64, Set.of(DType.I32),
            TensorType.U64, Set.of(DType.U32),
            TensorType.BOOL, Set.of(DType.U32, DType.I32));

    /** Returns the bytes that are written. */
    public long writtenBytes() {
        return converted.map(type -> tensor.elements() * type.bytes()).orElse(tensor.bytes());
    }

    /**
     * Checks a tensor against a value.
     *
     * @throws IllegalArgumentException that says why it does not fit
     */
    public static Assignment of(MemoryPlan plan, NodeId id, Tensor tensor, boolean dequantise, boolean isTransposed) {
        if (isTransposed
                && (tensor.shape().size() != 2
                        || tensor.type().isBlocked()
                        || plan.value(id).isEmpty())) {
            throw new IllegalArgumentException(plan.describe(id)
                    + ": expected a matrix to transpose, with elements that are stored one by one, got " + tensor.type()
                    + " " + tensor.shape() + " of '" + tensor.name() + "'");
        }
        BufferSlot slot = plan.slot(id)
                .orElseThrow(() -> new IllegalArgumentException(plan.describe(id)
                        + ": expected a value with a slot for tensor '" + tensor.name() + "', got none"));
        Optional<PlanValue> known = plan.value(id);
        if (known.isEmpty()) {
            return raw(plan, id, tensor, slot.size());
        }
        PlanValue value = known.get();
        if (value.dtype() == DType.U8 && tensor.type().dtype().isEmpty()) { // packed, for kernels that unpack
            return raw(plan, id, tensor, value.bytes());
        }
        List<Long> shape = isTransposed ? tensor.shape().reversed() : tensor.shape();
        if (!withoutOnes(value.shape()).equals(withoutOnes(shape))) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a tensor of the shape " + value.shape()
                    + ", got " + shape + " of '" + tensor.name() + "'");
        }
        if (tensor.type().dtype().filter(value.dtype()::equals).isPresent()) {
            return new Assignment(tensor, id, isTransposed ? tensor.type().dtype() : Optional.empty(), isTransposed);
        }
        if (!NARROWED.getOrDefault(tensor.type(), Set.of()).contains(value.dtype())) {
            requireConversion(plan, id, tensor, value.dtype(), dequantise);
        }
        return new Assignment(tensor, id, Optional.of(value.dtype()), isTransposed);
    }

    private static Assignment raw(MemoryPlan plan, NodeId id, Tensor tensor, long bytes) {
        if (tensor.bytes() > bytes) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a tensor of at most " + bytes
                    + " bytes, got " + tensor.bytes() + " of '" + tensor.name() + "'");
        }
        return new Assignment(tensor, id, Optional.empty(), false);
    }

    private static void requireConversion(MemoryPlan plan, NodeId id, Tensor tensor, DType wanted, boolean dequantise) {
        boolean blocks = tensor.type().isBlocked();
        boolean readable = tensor.type().isDecoded();
        if (!readable || !wanted.isHostFloat() || (blocks && !dequantise)) {
            String remedy = readable && wanted.isHostFloat()
                    ? "load it with dequantisation, or plan the value as U8 of " + tensor.bytes() + " elements"
                    : "plan the value with the type of the tensor, as PlanOptions.withDeclaredTypes() does";
            throw new IllegalArgumentException(plan.describe(id) + ": expected a tensor of type " + wanted + ", got "
                    + tensor.type() + " of '" + tensor.name() + "'; " + remedy);
        }
    }

    private static List<Long> withoutOnes(List<Long> shape) {
        return shape.stream().filter(dimension -> dimension != 1).toList();
    }
}
