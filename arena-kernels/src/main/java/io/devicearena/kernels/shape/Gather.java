package io.devicearena.kernels.shape;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Takes elements of an axis by their numbers: out = in[..., indices, ...].
 *
 * <p>An index below 0 counts from the end. One beyond the axis takes the nearest element that there is: a device cannot
 * report it. Elements are words of 4 bytes: an element of 8 bytes is two, as a last dimension. The bits do not change.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives the shape of {@code in} with {@code count} elements along the axis
 * @param in words in a shape
 * @param indices I32 [count]
 * @param shape of {@code in}: dimensions of 1 or more
 * @param axis the number of the dimension; less than 0 counts from the end
 * @param count the number of indices, 1 or more
 */
public record Gather(NodeId out, NodeId in, NodeId indices, List<Long> shape, long axis, long count)
        implements OneOutputStep, CudaStep {
    /** Checks the shape. */
    public Gather {
        shape = List.copyOf(shape);
        Loops.axis(axis, shape);
        if (count < 1 || shape.stream().anyMatch(extent -> extent < 1)) {
            throw new IllegalArgumentException("gather of " + in
                    + ": expected dimensions of 1 or more, and 1 or more indices, got " + shape + " and " + count
                    + " indices");
        }
        StepKernel.requireOther("gather", out, in, indices);
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in, indices);
    }

    private long outer() {
        return Loops.product(shape.subList(0, Loops.axis(axis, shape)));
    }

    private long rows() {
        return shape.get(Loops.axis(axis, shape));
    }

    private long inner() {
        return Loops.product(shape) / outer() / rows();
    }

    @Override
    public void record(StepRecorder device) {
        long elements = outer() * count * inner();
        StepKernel.of(device, "step/elements")
                .ofWords()
                .use("ELEMENT", "shape/gather")
                .set("ROWS", rows())
                .set("COUNT", count)
                .set("INNER", inner())
                .write("out", out, elements * Integer.BYTES)
                .read("input", in, Loops.product(shape) * Integer.BYTES)
                .read("indices", indices, count * Integer.BYTES)
                .dispatchElements(label(), elements);
    }

    @Override
    public void record(CudaRecorder device) {
        long elements = outer() * count * inner();
        CudaKernel.of(device, "gather")
                .write(out, elements * Integer.BYTES)
                .read(in, Loops.product(shape) * Integer.BYTES)
                .read(indices, count * Integer.BYTES)
                .job(new Words().add(elements, rows()).divisor(count).divisor(inner()))
                .launchElements(label(), elements);
    }

    @Override
    public Runnable bind(HostValues host) {
        long rows = rows();
        long bytes = inner() * Integer.BYTES;
        MemorySegment to = HostFloats.bytes(host, out, outer() * count * bytes);
        MemorySegment from = HostFloats.bytes(host, in, outer() * rows * bytes);
        MemorySegment numbers = HostFloats.words(host, indices, count);
        return () -> host.parallel(Math.toIntExact(outer()), outer -> {
            for (long i = 0; i < count; i++) {
                long index = HostFloats.word(numbers, i);
                long row = Math.clamp(index < 0 ? index + rows : index, 0, rows - 1);
                MemorySegment.copy(from, (outer * rows + row) * bytes, to, (outer * count + i) * bytes, bytes);
            }
        });
    }
}
