package io.devicearena.kernels.shape;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.util.List;
import java.util.Locale;

/**
 * Copies elements from places to places: a transposed, sliced, broadcast or expanded value, or a part of another one.
 *
 * <pre>{@code
 * // Transpose(perm = 0, 2, 1) of [2][3][4]
 * StridedCopy.to(out, Strided.dense(in, List.of(2L, 3L, 4L)).permuted(0, 2, 1));
 * }</pre>
 *
 * <p>Elements are words of 4 bytes. The bits do not change. The values must not share bytes.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param to where the elements go; no place twice
 * @param from where they are; it is broadcast to the shape of {@code to}
 */
public record StridedCopy(Strided to, Strided from) implements CudaStep {
    /** Checks the dimensions. */
    public StridedCopy {
        from = from.broadcast(to.shape());
        StepKernel.requireOther("strided-copy", to.id(), from.id());
    }

    /**
     * Makes a step that writes a whole value.
     *
     * @param out receives the elements in the order of the shape of {@code from}
     * @param from where they are
     * @return the step, for elements of 4 bytes
     */
    public static StridedCopy to(NodeId out, Strided from) {
        return new StridedCopy(Strided.dense(out, from.shape()), from);
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
            %s
            fn place(i: u32) -> u32 {
            %s    return %du + %s;
            }

            fn element(i: u32) -> u32 {
            %2$s    return input[first_input + %du + %s];
            }
            """,
                StepKernel.declaration("input"),
                loops.places("i"),
                to.first(),
                loops.place(0, "i"),
                from.first(),
                loops.place(1, "i"));
        StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text)
                .write("out", to.id(), to.reach() * Integer.BYTES)
                .read("input", from.id(), from.reach() * Integer.BYTES)
                .dispatchElements(label(), loops.count());
    }

    @Override
    public void record(CudaRecorder device) {
        Loops loops = loops();
        CudaKernel.of(device, "strided_copy")
                .write(to.id(), to.reach() * Integer.BYTES)
                .read(from.id(), from.reach() * Integer.BYTES)
                .job(new Words()
                        .add(loops.count())
                        .loops(loops)
                        .strides(loops, 0, to.first())
                        .strides(loops, 1, from.first()))
                .launchElements(label(), loops.count());
    }

    private Loops loops() {
        return new Loops(to.shape(), List.of(to.strides(), from.strides()));
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostCopy(host, this, loops());
    }
}
