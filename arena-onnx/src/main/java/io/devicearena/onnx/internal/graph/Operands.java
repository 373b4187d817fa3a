package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxOperator;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * What is known of the operands of an operator before the graph runs. What is asked for and not known, or missing, ends
 * with a {@link NoSuchElementException} or an {@link IndexOutOfBoundsException}.
 *
 * @param types their types; empty where they are not known, and for operands that are left out
 * @param numbers their elements, where they are known and few
 */
record Operands(OnnxOperator operator, List<Optional<ValueType>> types, List<Optional<Numbers>> numbers) {
    OnnxAttributes attributes() {
        return operator.attributes();
    }

    boolean has(int position) {
        return operator.operand(position).isPresent();
    }

    /** Whether the elements of an operand are known, or it is left out. */
    boolean isKnown(int position) {
        return !has(position) || numbers.get(position).isPresent();
    }

    List<Long> shape(int position) {
        return types.get(position).orElseThrow().shape();
    }

    Numbers elements(int position) {
        return numbers.get(position).orElseThrow();
    }

    /** The elements as whole numbers; those too large for a long are the largest. */
    long[] longs(int position) {
        return Arrays.stream(elements(position).values())
                .mapToLong(value -> (long) value)
                .toArray();
    }

    /** The elements of an operand, or of the attribute that older versions have for it; empty if both are left out. */
    Optional<long[]> longs(int position, String attribute) {
        if (has(position)) {
            return Optional.of(longs(position));
        }
        return attributes().has(attribute) ? Optional.of(attributes().integers(attribute)) : Optional.empty();
    }

    /** Counts an axis from the first; it may be given from the last. */
    static int axis(long axis, int rank) {
        if (axis < -rank || axis >= rank) {
            throw new IllegalArgumentException("expected an axis of an input of " + rank + " dimensions, got " + axis);
        }
        return (int) (axis < 0 ? axis + rank : axis);
    }

    /** The dimensions of the first operand that {@code Shape} returns. */
    List<Long> dimensions() {
        List<Long> shape = shape(0);
        int first = end(attributes().integer("start", 0), shape.size());
        int last = end(attributes().integer("end", shape.size()), shape.size());
        return shape.subList(first, Math.max(first, last));
    }

    private static int end(long axis, int rank) {
        return Math.clamp(axis < 0 ? axis + rank : axis, 0, rank);
    }
}
