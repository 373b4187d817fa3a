package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Makes images of another size, channel by channel. Places outside an image are those at its edge.
 *
 * <p>The places are computed in f64 on the host, for both ends: nearest elements have the same bits everywhere. A mean
 * is off by at most 6 u times the largest absolute value of its elements, with u = 2^-24. On the host a run allocates
 * nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> {@code Resize} of ONNX, opset 19.
 *
 * @param out receives F32 of the shape {@code output}; not {@code in}
 * @param in F32 of the shape {@code input}
 * @param input the shape of the images: [batch][channels][height][width]
 * @param output the shape of the result, with as many images and channels
 * @param down rows of the result for each of the original, above 0: what the model says, which may differ from the
 *     heights' quotient
 * @param right columns of the result for each of the original, above 0
 * @param interpolation how an element gets its value
 */
public record Resize(
        NodeId out,
        NodeId in,
        List<Long> input,
        List<Long> output,
        double down,
        double right,
        Interpolation interpolation)
        implements OneInputStep, CudaStep {
    /** Checks the shapes. */
    public Resize {
        Objects.requireNonNull(interpolation, "interpolation");
        StepKernel.requireOther("resize", out, in);
        input = List.copyOf(input);
        output = List.copyOf(output);
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        if (from.batch() != to.batch() || from.channels() != to.channels()) {
            throw new IllegalArgumentException(
                    "resize of " + in + ": expected as many images and channels, got " + input + " to " + output);
        }
        if (!(down > 0) || !(right > 0) || Double.isInfinite(down) || Double.isInfinite(right)) {
            throw new IllegalArgumentException(
                    "resize of " + in + ": expected finite scales above 0, got " + down + " and " + right);
        }
    }

    /**
     * Returns the step for images of a size.
     *
     * @param out receives F32 of the shape {@code output}
     * @param in F32 of the shape {@code input}
     * @param input the shape of the images
     * @param output the shape of the result
     * @param interpolation how an element gets its value
     * @param scales those of the model, of which the last two are used; none: the quotients of the lengths
     * @return the step
     */
    public static Resize of(
            NodeId out, NodeId in, List<Long> input, List<Long> output, Interpolation interpolation, float... scales) {
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        int last = scales.length - 1;
        double down = last < 0 ? (double) to.height() / from.height() : scales[last - 1];
        double right = last < 0 ? (double) to.width() / from.width() : scales[last];
        return new Resize(out, in, input, output, down, right, interpolation);
    }

    Places rows() {
        return Places.of(ImageShape.of(input).height(), ImageShape.of(output).height(), down, interpolation);
    }

    Places columns() {
        return Places.of(ImageShape.of(input).width(), ImageShape.of(output).width(), right, interpolation);
    }

    @Override
    public void record(StepRecorder device) {
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        int[] places = IntStream.concat(
                        IntStream.of(rows().words()), IntStream.of(columns().words()))
                .toArray();
        StepKernel.of(device, "convolution/resize")
                .set("HEIGHT", from.height())
                .set("WIDTH", from.width())
                .set("OUT_HEIGHT", to.height())
                .set("OUT_WIDTH", to.width())
                .set("ELEMENTS", to.elements())
                .constants("places", places)
                .write("out", out, to.bytes())
                .read("input", in, from.bytes())
                .dispatch(label(), to.workgroups());
    }

    @Override
    public void record(CudaRecorder device) {
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        Words job = new Words()
                .add(
                        to.elements(),
                        Words.numberOf(interpolation.mode()),
                        Words.numberOf(interpolation.coordinates()),
                        Words.numberOf(interpolation.rounding()));
        CudaKernel.of(device, "resize")
                .write(out, to.bytes())
                .read(in, from.bytes())
                .job(job.add(from.height())
                        .divisor(to.height())
                        .bits(down)
                        .add(from.width())
                        .divisor(to.width())
                        .bits(right))
                .launchElements(label(), to.elements());
    }

    @Override
    public Runnable bind(HostValues host) {
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        boolean isNearest = interpolation.mode() == Interpolation.Mode.NEAREST;
        Places rows = rows();
        Places columns = columns();
        MemorySegment images = HostFloats.words(host, in, from.elements());
        MemorySegment results = HostFloats.words(host, out, to.elements());
        Supplier<TileMemory.Worker> memory = TileMemory.of(host).workers(from.pixels(), to.width(), 0);
        WorkerTasks<TileMemory.Worker> tasks = new WorkerTasks<>(host, memory, (worker, channel) -> {
            float[] image = worker.operand();
            float[] row = worker.sums();
            HostFloats.read(images, (long) channel * from.pixels(), image, 0, from.pixels());
            for (int y = 0; y < to.height(); y++) {
                int above = rows.first()[y] * from.width();
                if (!isNearest) {
                    columns.interpolate(image, above, rows.second()[y] * from.width(), rows.weight()[y], row);
                } else if (y == 0 || rows.first()[y] != rows.first()[y - 1]) {
                    columns.takeNearest(image, above, row);
                }
                HostFloats.write(row, 0, to.width(), results, to.row(channel, y));
            }
        });
        return () -> tasks.run(to.planes());
    }
}
