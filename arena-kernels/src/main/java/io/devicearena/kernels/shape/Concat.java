package io.devicearena.kernels.shape;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.Loops;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Joins values along an axis. Parts that the plan put where they go, inside the slot of the output, are left alone; if
 * all are, nothing is recorded.
 *
 * <p>Elements are words of 4 bytes: an element of 8 bytes is two, as a last dimension. The bits do not change.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives the parts, one behind the other along the axis
 * @param parts the values, 1 or more; one may be there several times
 * @param shapes that of each part: dimensions of 1 or more, which differ along the axis only
 * @param axis the number of the dimension; less than 0 counts from the end
 */
public record Concat(NodeId out, List<NodeId> parts, List<List<Long>> shapes, long axis)
        implements OneOutputStep, CudaStep {
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

    @Override
    public List<NodeId> reads() {
        return parts.stream().distinct().toList();
    }

    /** Copies of the parts that are not where they go. */
    private List<StridedCopy> copies(ToLongFunction<NodeId> firstByte) {
        List<StridedCopy> copies = new ArrayList<>();
        long rowWidth = shapes.stream().mapToLong(Loops::product).sum() / rows();
        long begin = 0;
        for (int i = 0; i < parts.size(); i++) {
            NodeId part = parts.get(i);
            List<Long> shape = List.of(rows(), Loops.product(shapes.get(i)) / rows());
            long goes = firstByte.applyAsLong(out) + begin * Integer.BYTES;
            if (firstByte.applyAsLong(part) != goes || (rows() > 1 && parts.size() > 1)) {
                Strided place = new Strided(out, begin, shape, List.of(rowWidth, 1L));
                copies.add(new StridedCopy(place, Strided.dense(part, shape)));
            }
            begin += shape.getLast();
        }
        return copies;
    }

    @Override
    public void record(StepRecorder device) {
        copies(device::firstByte).forEach(copy -> copy.record(device));
    }

    @Override
    public void record(CudaRecorder device) {
        copies(device::firstByte).forEach(copy -> copy.record(device));
    }

    @Override
    public Runnable bind(HostValues host) {
        List<Runnable> copies = copies(id -> host.bytes(id).address()).stream()
                .map(copy -> copy.bind(host))
                .toList();
        return () -> copies.forEach(Runnable::run);
    }
}
