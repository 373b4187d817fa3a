package io.devicearena.kernels.shape;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Joins values along an axis. Parts that the plan put where they go, inside the slot of the output, are left alone; if
 * all are, nothing is recorded.
 *
 * <p>Elements are words of 4 bytes: an element of 8 bytes is two, as a last dimension. The bits do not change.
 *
 * <p>On a device one dispatch copies as many parts as it can bind.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives the parts, one behind the other along the axis
 * @param parts the values, 1 or more; one may be there several times
 * @param shapes that of each part: dimensions of 1 or more, which differ along the axis only
 * @param axis the number of the dimension; less than 0 counts from the end
 */
public record Concat(NodeId out, List<NodeId> parts, List<List<Long>> shapes, long axis) implements OneOutputStep {
    /** Checks the shapes. */
    public Concat {
        parts = List.copyOf(parts);
        shapes = List.copyOf(shapes);
        if (parts.isEmpty() || parts.size() != shapes.size()) {
            throw new IllegalArgumentException("concat to " + out + ": expected parts, and a shape for each, got "
                    + parts.size() + " parts and " + shapes.size() + " shapes");
        }
        List<Long> other = besides(axis, shapes.getFirst());
        for (List<Long> shape : shapes) {
            if (!besides(axis, shape).equals(other) || shape.stream().anyMatch(extent -> extent < 1)) {
                throw new IllegalArgumentException("concat to " + out
                        + ": expected dimensions of 1 or more that differ along axis " + axis + " only, got "
                        + shapes.getFirst() + " and " + shape);
            }
        }
    }

    private static List<Long> besides(long axis, List<Long> shape) {
        List<Long> others = new ArrayList<>(shape);
        others.set(Loops.axis(axis, shape), 1L);
        return others;
    }

    /** The elements of the dimensions before the axis: each has a row of each part. */
    private long rows() {
        List<Long> shape = shapes.getFirst();
        return Loops.product(shape.subList(0, Loops.axis(axis, shape)));
    }

    /** A part that is copied, and where it begins in a row. */
    private record Copied(NodeId id, long begin, long width) {}

    @Override
    public List<NodeId> reads() {
        return parts.stream().distinct().toList();
    }

    private long rowWidth() {
        return shapes.stream().mapToLong(Loops::product).sum() / rows();
    }

    /** The parts that are not where they go. */
    private List<Copied> copied(ToLongFunction<NodeId> firstByte) {
        List<Copied> copied = new ArrayList<>();
        long begin = 0;
        for (int i = 0; i < parts.size(); i++) {
            Copied part = new Copied(parts.get(i), begin, Loops.product(shapes.get(i)) / rows());
            long goes = firstByte.applyAsLong(out) + begin * Integer.BYTES;
            if (firstByte.applyAsLong(part.id) != goes || (rows() > 1 && parts.size() > 1)) {
                copied.add(part);
            }
            begin += part.width;
        }
        return copied;
    }

    @Override
    public void record(StepRecorder device) {
        List<Copied> copied = copied(device::firstByte);
        if (copied.size() < parts.size()) {
            copied.forEach(part -> recordAlone(device, part));
            return;
        }
        int most = device.facts().maxStorageBindings() - 1;
        for (int i = 0; i < copied.size(); i += most) {
            record(device, copied.subList(i, Math.min(copied.size(), i + most)));
        }
    }

    /** Copies one part of the only row, through a window of its own: the other parts are not written. */
    private void recordAlone(StepRecorder device, Copied part) {
        StepKernel.of(device, "step/elements")
                .ofWords()
                .writePart("out", out, part.begin * Integer.BYTES, part.width * Integer.BYTES)
                .read("input", part.id, part.width * Integer.BYTES)
                .dispatchElements(label(), part.width);
    }

    private void record(StepRecorder device, List<Copied> copied) {
        long first = copied.getFirst().begin;
        long width = copied.getLast().begin + copied.getLast().width - first;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < copied.size(); i++) {
            text.append(StepKernel.declaration("in_" + i));
        }
        text.append(String.format(
                Locale.ROOT,
                "\nfn place(i: u32) -> u32 { return i / %du * %du + %du + i %% %1$du; }\n",
                width,
                rowWidth(),
                first));
        text.append(String.format(
                Locale.ROOT,
                "\nfn element(i: u32) -> u32 {\n    let row = i / %du;\n    let at = %du + i %% %1$du;\n",
                width,
                first));
        for (int i = 0; i < copied.size(); i++) {
            Copied part = copied.get(i);
            text.append(String.format(
                    Locale.ROOT,
                    "    if (at < %du) { return in_%d[first_in_%2$d + row * %du + at - %du]; }\n",
                    part.begin + part.width,
                    i,
                    part.width,
                    part.begin));
        }
        StepKernel kernel = StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text.append("    return 0u;\n}\n").toString())
                .write("out", out, rows() * rowWidth() * Integer.BYTES);
        for (int i = 0; i < copied.size(); i++) {
            kernel.read("in_" + i, copied.get(i).id, rows() * copied.get(i).width * Integer.BYTES);
        }
        kernel.dispatchElements(label(), rows() * width);
    }

    @Override
    public Runnable bind(HostValues host) {
        List<Runnable> copies = copied(id -> host.bytes(id).address()).stream()
                .map(part -> {
                    List<Long> shape = List.of(rows(), part.width);
                    Strided place = new Strided(out, part.begin, shape, List.of(rowWidth(), 1L));
                    return new StridedCopy(place, Strided.dense(part.id, shape)).bind(host);
                })
                .toList();
        return () -> copies.forEach(Runnable::run);
    }
}
