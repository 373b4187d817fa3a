package io.devicearena.kernels.linear;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Linear layers of rows of floats, of one input: for each part, out[t][r] is the sum over c of in[t][c] * matrix[r][c],
 * with bias, activation and sum of the part.
 *
 * <p>On a device all parts are one dispatch, if it binds enough values. Few rows are multiplied in blocks of 4 by 4,
 * whose columns threads share, many in squares.
 *
 * <p>On the host a bound step keeps a copy of matrices and biases in the heap, as binding finds them: bind it after the
 * weights are loaded. A run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param in F32 [rowsOfTokens][columns]
 * @param parts 1 to 3, whose matrices have equal columns
 * @param rowsOfTokens 1 or more
 * @param cursor U32 [4], whose second word is the number of valid rows, or null if all are valid. What is written to
 *     other rows is not defined
 */
public record Linear(
        NodeId in,
        List<LinearPart> parts,
        int rowsOfTokens,
        @Nullable NodeId cursor) implements KernelStep {
    static final int MOST_PARTS = 3;

    /** Checks that the dimensions fit. */
    public Linear {
        Objects.requireNonNull(in, "in");
        parts = List.copyOf(parts);
        if (parts.isEmpty() || parts.size() > MOST_PARTS) {
            throw new IllegalArgumentException(
                    "linear of " + in + ": expected 1 to " + MOST_PARTS + " parts, got " + parts.size());
        }
        if (rowsOfTokens < 1) {
            throw new IllegalArgumentException("rows of tokens: expected 1 or more, got " + rowsOfTokens);
        }
        int columns = parts.getFirst().matrix().columns();
        for (LinearPart part : parts) {
            if (part.matrix().columns() != columns) {
                throw new IllegalArgumentException("matrix " + part.matrix().id() + ": expected " + columns
                        + " columns, as the first part has, got "
                        + part.matrix().columns());
            }
            if (part.out().equals(in)) {
                throw new IllegalArgumentException("linear: expected another value as output than the input " + in);
            }
        }
    }

    /** The elements of a row of the input. */
    int columns() {
        return parts.getFirst().matrix().columns();
    }

    @Override
    public List<NodeId> reads() {
        return Stream.of(
                        Stream.of(in), Stream.ofNullable(cursor), parts.stream().flatMap(LinearPart::reads))
                .flatMap(ids -> ids)
                .distinct()
                .toList();
    }

    @Override
    public List<NodeId> writes() {
        return parts.stream().map(LinearPart::out).toList();
    }

    @Override
    public void record(StepRecorder device) {
        new LinearKernel(this).record(device);
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostLinear(this, host);
    }
}
