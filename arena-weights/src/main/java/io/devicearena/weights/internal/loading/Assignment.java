package io.devicearena.weights.internal.loading;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.weights.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/**
 * A tensor, and the value that it goes into.
 *
 * @param converted the type to convert to, or empty where the bytes go as they are
 */
public record Assignment(Tensor tensor, NodeId value, Optional<DType> converted) {
    /** Returns the bytes that are written. */
    public long writtenBytes() {
        return converted.map(type -> tensor.elements() * type.bytes()).orElse(tensor.bytes());
    }

    /**
     * Checks a tensor against a value.
     *
     * @throws IllegalArgumentException that says why it does not fit
     */
    public static Assignment of(MemoryPlan plan, NodeId id, Tensor tensor, boolean dequantise) {
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
        if (!withoutOnes(value.shape()).equals(withoutOnes(tensor.shape()))) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a tensor of the shape " + value.shape()
                    + ", got " + tensor.shape() + " of '" + tensor.name() + "'");
        }
        if (tensor.type().dtype().filter(value.dtype()::equals).isPresent()) {
            return new Assignment(tensor, id, Optional.empty());
        }
        return converted(plan, id, tensor, value.dtype(), dequantise);
    }

    private static Assignment raw(MemoryPlan plan, NodeId id, Tensor tensor, long bytes) {
        if (tensor.bytes() > bytes) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a tensor of at most " + bytes
                    + " bytes, got " + tensor.bytes() + " of '" + tensor.name() + "'");
        }
        return new Assignment(tensor, id, Optional.empty());
    }

    private static Assignment converted(MemoryPlan plan, NodeId id, Tensor tensor, DType wanted, boolean dequantise) {
        boolean blocks = tensor.type().isBlocked();
        boolean readable = tensor.type().isDecoded();
        if (!readable || !wanted.isHostFloat() || (blocks && !dequantise)) {
            String remedy = readable && wanted.isHostFloat()
                    ? "load it with dequantisation, or plan the value as U8 of " + tensor.bytes() + " elements"
                    : "plan the value with the type of the tensor";
            throw new IllegalArgumentException(plan.describe(id) + ": expected a tensor of type " + wanted + ", got "
                    + tensor.type() + " of '" + tensor.name() + "'; " + remedy);
        }
        return new Assignment(tensor, id, Optional.of(wanted));
    }

    private static List<Long> withoutOnes(List<Long> shape) {
        return shape.stream().filter(dimension -> dimension != 1).toList();
    }
}
