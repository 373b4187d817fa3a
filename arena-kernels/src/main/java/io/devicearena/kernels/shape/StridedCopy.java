package io.devicearena.kernels.shape;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import java.util.List;
import java.util.Locale;

/**
 * Copies elements from places to places: a transposed, sliced, broadcast or expanded value, or a part of another one.
 *
 * <pre>{@code
 * // Transpose(perm = 0, 2, 1) of [2][3][4]
 * new StridedCopy(
 *         Strided.dense(out, List.of(2L, 4L, 3L)),
 *         Strided.dense(in, List.of(2L, 3L, 4L)).permuted(0, 2, 1),
 *         List.of(2L, 4L, 3L));
 * }</pre>
 *
 * <p>Elements are words of 4 bytes. The bits do not change. The values must not share bytes.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param to where the elements go; no place twice
 * @param from where they are
 * @param shape the extent of each dimension, 1 or more
 */
public record StridedCopy(Strided to, Strided from, List<Long> shape) implements KernelStep {
    /** Checks the dimensions. */
    public StridedCopy {
        shape = List.copyOf(shape);
        String subject = "copy of " + from.id() + " to " + to.id();
        to.check(subject, shape);
        from.check(subject, shape);
        if (to.id().equals(from.id())) {
            throw new IllegalArgumentException(subject + ": expected two values, got one");
        }
    }

    /**
     * Makes a step that writes a whole value.
     *
     * @param out receives the elements in the order of the shape
     * @param from where they are
     * @param shape the extent of each dimension, 1 or more
     * @return the step, for elements of 4 bytes
     */
    public static StridedCopy to(NodeId out, Strided from, List<Long> shape) {
        return new StridedCopy(Strided.dense(out, shape), from, shape);
    }

    @Override
    public String label() {
        return "strided-copy";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(from.id());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(to.id());
    }

    @Override
    public void record(StepRecorder device) {
        Loops loops = loops();
        String text = String.format(
                Locale.ROOT,
                """
            const first_input: u32 = 0u; //! job
            @group(0) @binding(0) var<storage, read> input: array<u32>;

            fn place(i: u32) -> u32 {
            %s    return %du + %s;
            }

            fn element(i: u32) -> u32 {
            %1$s    return input[first_input + %du + %s];
            }
            """,
                loops.places("i"),
                to.first(),
                loops.place(0, "i"),
                from.first(),
                loops.place(1, "i"));
        StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text)
                .write("out", to.id(), to.reach(shape) * Integer.BYTES)
                .read("input", from.id(), from.reach(shape) * Integer.BYTES)
                .dispatchElements(label(), loops.count());
    }

    private Loops loops() {
        return new Loops(shape, List.of(to.strides(), from.strides()));
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostCopy(host, this, loops());
    }
}
