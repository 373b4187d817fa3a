package io.devicearena.kernels.linear;

import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.weights.tensor.TensorType;
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

    /** The input and the cursor, and of a part the matrix, the bias, the output and what is added. */
    private static final int COMMON_BINDINGS = 2;

    private static final int PART_BINDINGS = 4;

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
        int bindings = COMMON_BINDINGS + PART_BINDINGS * parts.size();
        if (bindings <= device.facts().maxStorageBindings()) {
            dispatch(device, parts);
        } else {
            parts.forEach(part -> dispatch(device, List.of(part)));
        }
    }

    private void dispatch(StepRecorder device, List<LinearPart> some) {
        Tiling tiling = Tiling.of(some, rowsOfTokens, device.facts().maxWorkgroupMemoryBytes());
        StepKernel kernel = StepKernel.of(device, "linear/linear")
                .set("PARTS", some.size())
                .set("WIDTH", columns() / 4)
                .set("TOKENS", rowsOfTokens)
                .read("x", in, bytes(columns()));
        if (cursor != null) {
            kernel.use("VALID", "linear/tokens-of-cursor").read("cursor", cursor, Cursor.BYTES);
        }
        tiling.setIn(kernel);
        int groups = 0;
        for (int i = 0; i < some.size(); i++) {
            int end = groups + (some.get(i).matrix().rows() - 1) / tiling.rows() + 1;
            kernel.set("FIRST_GROUP_" + i, groups).set("END_GROUP_" + i, end);
            add(kernel, device, some.get(i), i);
            groups = end;
        }
        kernel.dispatch(label(), Workgroups.of(groups, (rowsOfTokens - 1) / tiling.tokens() + 1));
    }

    /** The bytes of all rows. */
    private long bytes(int columns) {
        return (long) rowsOfTokens * columns * Float.BYTES;
    }

    private void add(StepKernel kernel, StepRecorder device, LinearPart part, int number) {
        Matrix matrix = part.matrix();
        int rows = matrix.rows();
        kernel.set("ROWS_" + number, rows)
                .read("bias_" + number, part.bias(), (long) rows * Float.BYTES)
                .write("out_" + number, part.out(), bytes(rows));
        long bytes = rows * matrix.readRowBytes();
        long most = device.facts().maxBindingBytes();
        if (bytes > most) {
            throw new IllegalArgumentException("matrix " + matrix.id() + ": expected at most " + most
                    + " bytes, the longest binding of the device, got " + bytes + "; use Product");
        }
        Window window = matrix.window(device.kernels());
        kernel.read("words_" + number, matrix.id(), window, window.offsetOf(matrix.id()), bytes);
        if (matrix.readType() == TensorType.F16) {
            kernel.use("WEIGHT_" + number, "linear/weight-f16");
        }
        Activation activation = part.activation();
        if (activation != null) {
            kernel.use("ACTIVATED_" + number, "linear/activation").use("ACTIVATION_" + number, activation.file());
        }
        NodeId added = part.added();
        if (added != null) {
            kernel.use("ADDED_" + number, "linear/added").read("added_" + number, added, bytes(rows));
        }
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostLinear(this, host);
    }
}
