package io.devicearena.kernels.shape;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import java.util.ArrayList;
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
 *         List.of(2L, 4L, 3L),
 *         4);
 * }</pre>
 *
 * <p>The bits do not change. A device copies words of 4 bytes: elements of 1 or 2 bytes must lie in runs of whole words
 * in both values, elements of 8 bytes are two words. The values must not share bytes.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param to where the elements go; no place twice
 * @param from where they are
 * @param shape the extent of each dimension, 1 or more
 * @param elementBytes the size of an element: 1, 2, 4 or 8
 */
public record StridedCopy(Strided to, Strided from, List<Long> shape, int elementBytes) implements KernelStep {
    /** Checks the dimensions, and the size of an element. */
    public StridedCopy {
        shape = List.copyOf(shape);
        String subject = "copy of " + from.id() + " to " + to.id();
        to.check(subject, shape);
        from.check(subject, shape);
        if (Integer.bitCount(elementBytes) != 1 || elementBytes > Long.BYTES) {
            throw new IllegalArgumentException(
                    subject + ": expected elements of 1, 2, 4 or 8 bytes, got " + elementBytes);
        }
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
     * @return a step for elements of 4 bytes
     */
    public static StridedCopy to(NodeId out, Strided from, List<Long> shape) {
        return new StridedCopy(Strided.dense(out, shape), from, shape, Integer.BYTES);
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
        Loops loops = words();
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
                to.first() * elementBytes / Integer.BYTES,
                loops.place(0, "i"),
                from.first() * elementBytes / Integer.BYTES,
                loops.place(1, "i"));
        StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text)
                .write("out", to.id(), to.reach(shape) * elementBytes)
                .read("input", from.id(), from.reach(shape) * elementBytes)
                .dispatchElements(label(), loops.count());
    }

    /**
     * The loops of the copy in words of 4 bytes: a larger element is one more dimension, smaller ones are part of a
     * word.
     */
    private Loops words() {
        List<Long> extents = new ArrayList<>();
        List<List<Long>> strides = List.of(new ArrayList<>(), new ArrayList<>());
        Loops loops = new Loops(shape, List.of(to.strides(), from.strides()));
        int parts = Math.max(1, Integer.BYTES / elementBytes);
        int words = Math.max(1, elementBytes / Integer.BYTES);
        boolean isWhole = parts == 1 || (loops.step(0) == 1 && loops.step(1) == 1 && loops.run() % parts == 0);
        isWhole &= to.first() % parts == 0 && from.first() % parts == 0;
        for (int d = 0; d < loops.rank(); d++) {
            boolean isRun = parts > 1 && d == loops.rank() - 1;
            extents.add(isRun ? loops.extent(d) / parts : loops.extent(d));
            for (int v = 0; v < strides.size(); v++) {
                long stride = loops.stride(v, d) * words;
                strides.get(v).add(isRun ? 1 : stride / parts);
                isWhole &= isRun || stride % parts == 0;
            }
        }
        if (!isWhole) {
            throw new IllegalArgumentException("copy of " + from.id() + " to " + to.id()
                    + ": expected runs of whole words of 4 bytes, which a device copies, got elements of "
                    + elementBytes
                    + " bytes in shape " + shape + " with strides " + to.strides() + " and " + from.strides()
                    + "; plan them with a type of 4 bytes");
        }
        extents.add((long) words);
        strides.forEach(each -> each.add(1L));
        return new Loops(extents, strides);
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostCopy(host, this);
    }
}
