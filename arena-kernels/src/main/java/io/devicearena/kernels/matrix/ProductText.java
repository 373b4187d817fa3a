package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.step.DeclaredBindings;
import io.devicearena.kernels.step.RepeatedLines;
import io.devicearena.kernels.step.StepText;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A kernel that is put together from files, with what it is bound to.
 *
 * <p>A file is repeated for each matrix, with its letter for {@code _M}. A line with {@code #R}, {@code #T}, {@code
 * #E}, {@code #U} or {@code #V} is repeated for each row, token, element, unit or vector of a thread, one with {@code
 * #S} for each split of an attention, see {@link RepeatedLines}. Where values begin in their windows is in a uniform,
 * so that layers of equal dimensions share a kernel. Where all windows begin with their values, these numbers are
 * constants: a kernel need not wait for them.
 */
final class ProductText {
    /** Where vectors of 16 bytes can begin. */
    private static final int ALIGNMENT = 16;

    private final Kernels kernels;
    private final StringBuilder body = new StringBuilder();
    private final DeclaredBindings declared = new DeclaredBindings();
    private final Map<NodeId, String> outputs = new HashMap<>();
    private final Map<String, Integer> job = new LinkedHashMap<>();
    private final Map<String, Double> constants = new HashMap<>();
    private final RepeatedLines repeats = new RepeatedLines();

    /** Whether a value begins behind the start of its window. */
    private boolean isShifted;

    ProductText(Kernels kernels) {
        this.kernels = kernels;
    }

    void repeat(String mark, int times) {
        repeats.put(mark, times);
    }

    void constant(String name, double value) {
        constants.put(name, value);
    }

    void line(String text) {
        body.append(text).append('\n');
    }

    void read(String name, String type, NodeId id, long bytes) {
        Window window = kernels.window(id);
        declared.addArray(name, type, false, window);
        job(name, window.offsetOf(id), id, bytes, window);
    }

    void write(String name, String type, NodeId id, long bytes) {
        Window window = kernels.window(id);
        declared.addArray(name, type, true, window);
        outputs.put(id, name);
        job(name, window.offsetOf(id), id, bytes, window);
    }

    /** Binds the rows of a matrix from one on. */
    void weights(char letter, Matrix matrix, int firstRow, int rows) {
        Window window = rows == matrix.rows() ? matrix.window(kernels) : matrix.window(kernels, firstRow, rows);
        long first = firstRow * matrix.readRowBytes();
        declared.addArray("words_" + letter, WordsOf.type(matrix.readType()), false, window);
        job("w_" + letter, window.offsetOf(matrix.id(), first), matrix.id(), rows * matrix.readRowBytes(), window);
    }

    /** Binds an output once, also when several matrices write to it. */
    String output(char letter, ProductPart part, int firstRow, int tokens) {
        NodeId id = part.out();
        Window window = kernels.window(id);
        String name = outputs.get(id);
        if (name == null) {
            name = "out_" + letter;
            declared.addArray(name, "f32", true, window);
            outputs.put(id, name);
        }
        long bytes = 4L * tokens * part.outColumns();
        job("y_" + letter, window.offsetOf(id), id, bytes, window);
        job.merge("y_" + letter, part.firstColumn() + firstRow, Integer::sum);
        return name;
    }

    private void job(String name, long offset, NodeId id, long bytes, Window window) {
        if (offset % ALIGNMENT != 0) {
            throw new IllegalArgumentException(id + ": expected it at a multiple of " + ALIGNMENT + " bytes, got "
                    + offset + " in its window; plan with a larger alignment");
        }
        if (offset + bytes > window.bytes()) {
            throw new IllegalArgumentException(
                    id + ": expected at least " + bytes + " bytes, got " + (window.bytes() - offset));
        }
        isShifted |= offset != 0;
        job.put(name, Math.toIntExact(offset / 4));
    }

    void file(String name) {
        file(name, '-', "");
    }

    void file(String name, char letter, String output) {
        String text = StepText.file(ProductText.class, name);
        text.lines()
                .map(line -> line.replace("OUT_M", output).replace("_M", "_" + letter))
                .flatMap(repeats::of)
                .forEach(this::line);
    }

    void dispatch(Recorder recorder, String label, boolean subgroups, Workgroups groups) {
        StringBuilder text = new StringBuilder(subgroups ? "enable subgroups;\n" : "");
        text.append("struct Job { ");
        job.keySet().forEach(name -> text.append(name).append(": u32, "));
        text.append("}\n");
        if (isShifted) {
            int[] words = job.values().stream().mapToInt(Integer::intValue).toArray();
            declared.addUniform("job", "Job", kernels.uniform(words));
        } else {
            text.append("const job = Job(");
            job.values().forEach(word -> text.append(word).append("u, "));
            text.append(");\n");
        }
        text.append(declared.text()).append(body);
        KernelSource source = KernelSource.of(label, text.toString());
        for (Map.Entry<String, Double> constant : constants.entrySet()) {
            source = source.withConstant(constant.getKey(), constant.getValue());
        }
        Kernel kernel = kernels.compile(source);
        recorder.dispatch(kernel, declared.bindings(), groups);
    }
}
