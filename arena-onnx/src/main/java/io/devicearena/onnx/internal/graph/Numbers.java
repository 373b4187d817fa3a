package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The elements of a small tensor that are known before the graph runs, as doubles: shapes, axes, bounds.
 *
 * @param values not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // numbers are not compared
record Numbers(TensorType type, List<Long> shape, double[] values) {
    /** More elements than any shape, list of axes or scales has. */
    static final int MOST_ELEMENTS = 1024;
    /** Whole numbers up to here are exact. */
    static final double MOST_EXACT = 1L << 53;

    private static final Set<TensorType> TYPES =
            Set.of(TensorType.I64, TensorType.I32, TensorType.BOOL, TensorType.F32, TensorType.F64);

    Numbers {
        shape = List.copyOf(shape);
    }

    static boolean isOfType(TensorType type) {
        return TYPES.contains(type);
    }

    /** Returns the elements of a constant, or empty if they are many or of another type. */
    static Optional<Numbers> of(OnnxConstant constant) {
        return isOfType(constant.type()) && ValueType.elements(constant.shape()) <= MOST_ELEMENTS
                ? Optional.of(new Numbers(constant.type(), constant.shape(), constant.doubles()))
                : Optional.empty();
    }

    boolean isInteger() {
        return type != TensorType.F32 && type != TensorType.F64;
    }

    /** Whether the elements are those of the tensor and not rounded: the largest long, an end of all slices, may be. */
    boolean isExact() {
        return !isInteger() || Arrays.stream(values).allMatch(value -> Math.abs(value) <= MOST_EXACT);
    }

    /** Returns a constant with the elements. */
    OnnxConstant constant(String name) {
        int size = type.blockBytes();
        ByteBuffer bytes = ByteBuffer.allocate(values.length * size).order(ByteOrder.LITTLE_ENDIAN);
        for (double value : values) {
            switch (type) {
                case I64 -> bytes.putLong((long) value);
                case I32 -> bytes.putInt((int) value);
                case F32 -> bytes.putFloat((float) value);
                case F64 -> bytes.putDouble(value);
                default -> bytes.put((byte) value);
            }
        }
        return OnnxConstant.of(name, type, shape, MemorySegment.ofBuffer(bytes.flip()));
    }
}
