package io.devicearena.kernels.linear;

import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.step.DeclaredBindings;
import io.devicearena.kernels.step.DeviceValues;
import io.devicearena.kernels.step.RepeatedLines;
import io.devicearena.kernels.step.StepText;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.List;

/** Records a linear layer: puts its kernel together, in which each part has a letter of its own. */
record LinearKernel(Linear step) {
    private static final String LETTERS = "abc";

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
        Declared declared = new Declared(device, new DeclaredBindings());
        int[] offsets = new int[parts.size()];
        declared.value("x", step.in(), (long) step.rowsOfTokens() * step.columns(), false);
        StringBuilder functions = new StringBuilder(StepText.file(LinearKernel.class, "linear"));
        functions.append(valid(declared));
        StringBuilder main = new StringBuilder();
        int groups = 0;
        for (int i = 0; i < parts.size(); i++) {
            LinearPart part = parts.get(i);
            char letter = LETTERS.charAt(i);
            offsets[i] = declared.matrix(letter, part.matrix());
            addPart(declared, functions, letter, part, tiling);
            int own = (part.matrix().rows() - 1) / tiling.rows() + 1;
            main.append("    if (g >= " + groups + "u && g < " + (groups + own) + "u) { block_" + letter + "((g - "
                    + groups + "u) * " + tiling.rows() + "u, token, thread); }\n");
            groups += own;
        }
        declared.all().addUniform("job", "Job", device.kernels().uniform(offsets));
        String text =
                "struct Job { " + names(parts.size()) + " }\n" + declared.all().text() + "const WIDTH = "
                        + step.columns() / 4
                        + "u;\nconst TOKENS = " + step.rowsOfTokens() + "u;\n" + tiling.constants()
                        + (tiling.lanes() > 0 ? "" : StepText.file(LinearKernel.class, "square-memory")) + functions
                        + (tiling.lanes() > 0 ? StepText.file(LinearKernel.class, "block-memory") : "")
                        + StepText.file(LinearKernel.class, "main")
                                .replace("TILE_TOKENS", tiling.tokens() + "u")
                                .replace("    PARTS\n", main);
        DeviceValues.dispatch(
                device,
                step.label(),
                KernelSource.of(step.label(), text),
                declared.all().bindings(),
                Workgroups.of(groups, (step.rowsOfTokens() - 1) / tiling.tokens() + 1));
    }

    private String valid(Declared declared) {
        NodeId cursor = step.cursor();
        if (cursor == null) {
            return "fn valid_tokens() -> u32 { return TOKENS; }\n";
        }
        Window window = DeviceValues.window(declared.device(), cursor, 4L * Integer.BYTES);
        declared.all().addArray("cursor", "u32", false, window);
        return "fn valid_tokens() -> u32 { return cursor[1]; }\n";
    }

    private void addPart(Declared declared, StringBuilder functions, char letter, LinearPart part, Tiling tiling) {
        int rows = part.matrix().rows();
        long elements = (long) step.rowsOfTokens() * rows;
        declared.value("bias_" + letter, part.bias(), rows, false);
        declared.value("out_" + letter, part.out(), elements, true);
        String result = "sum + bias_M[row / 4u]";
        Activation activation = part.activation();
        if (activation != null) {
            functions.append(activation.wgsl().replace("fn activation(", "fn activation_" + letter + "("));
            functions.append("""
                    fn activated_M(v: vec4<f32>) -> vec4<f32> {
                        return vec4<f32>(activation_M(v.x), activation_M(v.y), activation_M(v.z), activation_M(v.w));
                    }
                    """.replace("_M", "_" + letter));
            result = "activated_M(" + result + ")";
        }
        NodeId added = part.added();
        if (added != null) {
            declared.value("added_" + letter, added, elements, false);
            result += " + added_M[at]";
        }
        String format = part.matrix().readType() == TensorType.F32 ? "weight-f32" : "weight-f16";
        String text = "const ROWS_M = " + rows + "u;\n" + StepText.file(LinearKernel.class, format)
                + StepText.file(LinearKernel.class, "finish").replace("RESULT", result)
                + StepText.file(LinearKernel.class, tiling.file());
        RepeatedLines repeats = tiling.repeats();
        text.replace("_M", "_" + letter)
                .lines()
                .flatMap(repeats::of)
                .forEach(line -> functions.append(line).append('\n'));
    }

    private static String names(int parts) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < parts; i++) {
            names.append("w_").append(LETTERS.charAt(i)).append(": u32, ");
        }
        return names.toString();
    }

    /** The values of a kernel, and where they are bound. */
    private record Declared(StepRecorder device, DeclaredBindings all) {
        void value(String name, NodeId id, long elements, boolean written) {
            all.addArray(name, "vec4<f32>", written, DeviceValues.window(device, id, elements * Float.BYTES));
        }

        /** Binds a matrix, and returns where it begins: in vectors of 4 elements from the start of the binding. */
        int matrix(char letter, Matrix matrix) {
            boolean half = matrix.readType() == TensorType.F16;
            int unit = half ? 4 * Short.BYTES : 4 * Float.BYTES;
            long bytes = matrix.rows() * matrix.readRowBytes();
            long most = device.facts().maxBindingBytes();
            if (bytes > most) {
                throw new IllegalArgumentException("matrix " + matrix.id() + ": expected at most " + most
                        + " bytes, the longest binding of the device, got " + bytes + "; use Product");
            }
            NodeId id = matrix.id();
            Window window = matrix.window(device.kernels());
            long offset = window.offsetOf(id);
            if (offset % unit != 0 || offset + bytes > window.bytes()) {
                throw new IllegalArgumentException(id + ": expected " + bytes + " bytes or more at a multiple of "
                        + unit + " bytes, got " + (window.bytes() - offset) + " at " + offset);
            }
            all.addArray("words_" + letter, half ? "vec2<u32>" : "vec4<f32>", false, window);
            return Math.toIntExact(offset / unit);
        }
    }
}
