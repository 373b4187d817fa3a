package io.devicearena.kernels.linear;

import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.weights.tensor.TensorType;
import java.util.List;

/** Records a linear layer: puts its kernel together, in which each part has a letter of its own. */
record LinearKernel(Linear step) {
    /** The input and the cursor, and of a part the matrix, the bias, the output and what is added. */
    private static final int COMMON_BINDINGS = 2;

    private static final int PART_BINDINGS = 4;

    void record(StepRecorder device) {
        int bindings = COMMON_BINDINGS + PART_BINDINGS * step.parts().size();
        if (bindings <= device.facts().maxStorageBindings()) {
            dispatch(device, step.parts());
        } else {
            step.parts().forEach(part -> dispatch(device, List.of(part)));
        }
    }

    private void dispatch(StepRecorder device, List<LinearPart> parts) {
        Tiling tiling = Tiling.of(parts, step.rowsOfTokens(), device.facts().maxWorkgroupMemoryBytes());
        StepKernel kernel = StepKernel.of(device, "linear/linear")
                .set("PARTS", parts.size())
                .set("WIDTH", step.columns() / 4)
                .set("TOKENS", step.rowsOfTokens())
                .read("x", step.in(), bytes(step.columns()));
        NodeId cursor = step.cursor();
        if (cursor != null) {
            kernel.use("VALID", "linear/tokens-of-cursor").read("cursor", cursor, 4L * Integer.BYTES);
        }
        tiling.setIn(kernel);
        int groups = 0;
        for (int i = 0; i < parts.size(); i++) {
            int end = groups + (parts.get(i).matrix().rows() - 1) / tiling.rows() + 1;
            kernel.set("FIRST_GROUP_" + i, groups).set("END_GROUP_" + i, end);
            add(kernel, device, parts.get(i), i);
            groups = end;
        }
        kernel.dispatch(step.label(), Workgroups.of(groups, (step.rowsOfTokens() - 1) / tiling.tokens() + 1));
    }

    /** The bytes of all rows. */
    private long bytes(int columns) {
        return (long) step.rowsOfTokens() * columns * Float.BYTES;
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
}
