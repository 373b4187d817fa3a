package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the sums of a convolution or of a matrix product: function(sum + bias + added).
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param bias F32, one for each channel or column of the output, or null for none
 * @param added F32 of the shape of the output, or null for none; it may be the output
 * @param function of the sum
 */
public record Epilogue(@Nullable NodeId bias, @Nullable NodeId added, ElementFunction function) {
    /** Nothing is added, and no function computed. */
    public static final Epilogue NONE = new Epilogue(null, null, ElementFunction.NONE);

    /** Checks that there is a function. */
    public Epilogue {
        Objects.requireNonNull(function, "function");
    }

    /**
     * Returns an epilogue that adds a bias.
     *
     * @param bias F32, one for each channel or column of the output
     * @return the epilogue
     */
    public static Epilogue of(NodeId bias) {
        return new Epilogue(Objects.requireNonNull(bias, "bias"), null, ElementFunction.NONE);
    }

    /**
     * Returns the same epilogue with a value that is added before the function, such as a residual.
     *
     * @param value F32 of the shape of the output
     * @return a new epilogue
     */
    public Epilogue adding(NodeId value) {
        return new Epilogue(bias, Objects.requireNonNull(value, "value"), function);
    }

    /**
     * Returns the same epilogue with a function.
     *
     * @param last is computed of the sum at the end
     * @return a new epilogue
     */
    public Epilogue then(ElementFunction last) {
        return new Epilogue(bias, added, last);
    }

    /** {@return the values that a step with this epilogue reads} */
    public List<NodeId> reads() {
        return Stream.concat(Stream.ofNullable(bias), Stream.ofNullable(added)).toList();
    }
}
