package io.devicearena.kernels.reduction;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * Reduces some axes of a value: their sum, mean, largest element, and so on.
 *
 * <p>The order of a sum differs between host and device. A sum of n elements is within n 2^-24 times the sum of their
 * absolute values, a sum of squares within (n + 1) 2^-24 times itself, and a product of n elements within n 2^-24 times
 * itself. Extremes are exact. NaN have no defined result.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 (I32 of {@link Reduction#ARG_MAX}), an element for each place in the other axes
 * @param in F32 in a shape; shares no bytes with {@code out}
 * @param reduction what is computed
 * @param shape of {@code in}: dimensions of 1 or more
 * @param axes the numbers of the dimensions that are reduced; less than 0 counts from the end. None: all
 */
public record Reduce(NodeId out, NodeId in, Reduction reduction, List<Long> shape, List<Long> axes)
        implements OneInputStep, CudaStep {
    private static final int WORKGROUP = 256;

    /** Threads that fill a GPU. */
    private static final long MANY_THREADS = 32_768;

    /** The fewest elements of a thread. */
    private static final int LEAST_OF_THREAD = 4;

    /** Checks the shape, and that the output is another value. */
    public Reduce {
        requireNonNull(reduction, "reduction");
        shape = List.copyOf(shape);
        List<Long> all = shape;
        axes = axes.isEmpty()
                ? LongStream.range(0, shape.size()).boxed().toList()
                : axes.stream().map(axis -> (long) Loops.axis(axis, all)).toList();
        if (shape.stream().anyMatch(extent -> extent < 1)) {
            throw new IllegalArgumentException("reduce of " + in + ": expected dimensions of 1 or more, got " + shape);
        }
        StepKernel.requireOther("reduce", out, in);
    }

    /** The threads of an output. */
    private static int team(Loops kept, Loops reduced) {
        int team = 1;
        while (team < WORKGROUP
                && (long) team * LEAST_OF_THREAD < reduced.count()
                && (isRow(reduced) || team * kept.count() < MANY_THREADS)) {
            team *= 2;
        }
        return team;
    }

    private static boolean isRow(Loops reduced) {
        return reduced.step(0) == 1;
    }

    /** The loops over the axes that are reduced, or over the others. */
    private Loops loops(boolean isReduced) {
        List<Long> strides = Loops.dense(shape);
        List<Long> extents = new ArrayList<>();
        List<Long> chosen = new ArrayList<>();
        for (int d = 0; d < shape.size(); d++) {
            if (axes.contains((long) d) == isReduced) {
                extents.add(shape.get(d));
                chosen.add(strides.get(d));
            }
        }
        return new Loops(extents, List.of(chosen));
    }

    @Override
    public void record(StepRecorder device) {
        Loops kept = loops(false);
        Loops reduced = loops(true);
        int team = team(kept, reduced);
        boolean isRow = isRow(reduced);
        String places = String.format(
                Locale.ROOT, """
            fn kept_place(i: u32) -> u32 {
            %s    return %s;
            }

            fn reduced_place(i: u32) -> u32 {
            %s    return %s;
            }
            """, kept.places("i"), kept.place(0, "i"), reduced.places("i"), reduced.place(0, "i"));
        StepKernel kernel = StepKernel.of(device, "reduction/reduce")
                .ofWords()
                .use("REDUCTION", reduction.file)
                .part("PLACES", places)
                .set("OUTPUTS", kept.count())
                .set("COUNT", reduced.count())
                .set("TEAM", team)
                .set("LANE_STEP", isRow ? 1 : WORKGROUP / team)
                .set("OUTPUT_STEP", isRow ? team : 1)
                .write("out", out, kept.count() * Float.BYTES)
                .read("input", in, kept.count() * reduced.count() * Float.BYTES);
        if (reduction.file.equals(Reduction.SUM.file)) {
            kernel.set("SQUARED", reduction.isSquared() ? 1 : 0)
                    .set("ROOT", reduction == Reduction.L2 ? 1 : 0)
                    .set("DIVISOR", reduction == Reduction.MEAN ? (double) reduced.count() : 1.0);
        }
        kernel.dispatch(label(), (kept.count() * team + WORKGROUP - 1) / WORKGROUP);
    }

    @Override
    public void record(CudaRecorder device) {
        Loops kept = loops(false);
        Loops reduced = loops(true);
        int team = team(kept, reduced);
        CudaKernel.of(device, "reduce")
                .write(out, kept.count() * Float.BYTES)
                .read(in, kept.count() * reduced.count() * Float.BYTES)
                .job(new Words()
                        .add(Words.numberOf(reduction), kept.count(), reduced.count(), team)
                        .add(isRow(reduced) ? 1 : WORKGROUP / team, isRow(reduced) ? team : 1)
                        .loops(kept)
                        .loops(reduced)
                        .strides(kept, 0, 0)
                        .strides(reduced, 0, 0))
                .launch(label(), kept.count() * team, WORKGROUP);
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostReduce(host, this, loops(false), loops(true));
    }
}
