package io.devicearena.weights;

import io.devicearena.NodeId;
import io.devicearena.weights.tensor.Tensor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which tensors of a file go into which values of an arena, and what does not fit.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param values the value of each tensor that is loaded, by the tensor's name, in the order of the file
 * @param missing values without a tensor: a line for each
 * @param mismatched tensors whose shape or type is not that of their value: a line for each
 * @param leftOver tensors without a value: not loaded, and no fault
 */
public record WeightMatches(
        Map<String, NodeId> values, List<String> missing, List<String> mismatched, List<Tensor> leftOver) {
    /** Makes a report; map and lists are copied. */
    public WeightMatches {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        missing = List.copyOf(missing);
        mismatched = List.copyOf(mismatched);
        leftOver = List.copyOf(leftOver);
    }

    /** {@return whether every value has its tensor} */
    public boolean isComplete() {
        return missing.isEmpty() && mismatched.isEmpty();
    }
}
