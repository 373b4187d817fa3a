package io.devicearena.kernels.shape;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.lang.foreign.MemorySegment;
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
    /** The side of a square of the host. */
    private static final int SIDE = 32;

    /** Elements of a task of the host, about. */
    private static final long TASK = 16_384;

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

    /**
     * Binds the step to values: it copies whole runs where both values have them, else squares of rows and columns, so
     * that a cache line is used whole while it is near.
     */
    @Override
    public Runnable bind(HostValues host) {
        Loops loops = loops();
        long rows = loops.count() / loops.run();
        long rowsOfTask = Math.max(SIDE, TASK / loops.run() / SIDE * SIDE);
        boolean isRun = loops.step(0) == 1 && loops.step(1) == 1;
        int side = isRun ? 1 : SIDE;
        MemorySegment target = HostFloats.words(host, to.id(), to.reach());
        MemorySegment source = HostFloats.words(host, from.id(), from.reach());
        return () -> host.parallel(Math.toIntExact(Math.ceilDiv(rows, rowsOfTask)), task -> {
            long begin = task * rowsOfTask;
            long end = Math.min(rows, begin + rowsOfTask);
            Loops.Walk[] walks = new Loops.Walk[side];
            for (int i = 0; i < side; i++) {
                walks[i] = loops.walk();
                walks[i].go(begin + i);
            }
            for (long first = begin; first < end; first += side) {
                int count = (int) Math.min(side, end - first);
                for (long column = 0; column < loops.run(); column += isRun ? loops.run() : SIDE) {
                    for (int i = 0; i < count; i++) {
                        long length = isRun ? loops.run() : Math.min(SIDE, loops.run() - column);
                        copy(source, target, loops, walks[i], column, length);
                    }
                }
                for (Loops.Walk walk : walks) {
                    for (int i = 0; i < side; i++) {
                        walk.next();
                    }
                }
            }
        });
    }

    /** Copies a part of a row. */
    private void copy(
            MemorySegment source, MemorySegment target, Loops loops, Loops.Walk row, long column, long count) {
        long step = loops.step(0);
        long sourceStep = loops.step(1);
        long at = to.first() + row.offset(0) + column * step;
        long sourceAt = from.first() + row.offset(1) + column * sourceStep;
        if (step == 1 && sourceStep == 1) {
            MemorySegment.copy(source, sourceAt * Integer.BYTES, target, at * Integer.BYTES, count * Integer.BYTES);
            return;
        }
        for (int i = 0; i < (int) count; i++) {
            HostFloats.setWord(target, at + i * step, HostFloats.word(source, sourceAt + i * sourceStep));
        }
    }
}
