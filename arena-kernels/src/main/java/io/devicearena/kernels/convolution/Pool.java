package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Replaces each window of an image by its largest element or its mean.
 *
 * <p>A maximum is exact. A mean of n elements is off by at most n u times the sum of the absolute values / n, with u =
 * 2^-24. On the host a run allocates nothing.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p>For whole images there is {@link io.devicearena.kernels.reduction.Reduce}.
 *
 * <p><b>Source:</b> {@code MaxPool} and {@code AveragePool} of ONNX, opset 22.
 *
 * @param out receives F32 of the shape {@code output}; not {@code in}
 * @param in F32 of the shape {@code input}
 * @param input the shape of the images: [batch][channels][height][width], or [batch][channels][width] of signals
 * @param output the shape of the result: as many windows as fit, or one more along an axis that begins inside the image
 *     or the padding in front of it, and ends behind the padding ({@code ceil_mode})
 * @param window what is replaced by one element
 * @param kind the largest element or a mean
 */
public record Pool(NodeId out, NodeId in, List<Long> input, List<Long> output, SlidingWindow window, Kind kind)
        implements OneInputStep, CudaStep {
    /**
     * What replaces a window.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Kind {
        /** The largest element; padding does not count. */
        MAX,
        /** The mean of the elements of the image in the window. */
        MEAN,
        /** The mean of the elements of the image and of the padding, which are zeros, in the window. */
        MEAN_WITH_PADDING
    }

    /** Checks the shapes. */
    public Pool {
        Objects.requireNonNull(kind, "kind");
        StepKernel.requireOther("pool", out, in);
        input = List.copyOf(input);
        output = List.copyOf(output);
        window.requirePlaces("pool of " + in, ImageShape.of(input), ImageShape.of(output), true);
        if (window.y().before() >= window.y().span()
                || window.x().before() >= window.x().span()
                || window.y().after() >= window.y().span()
                || window.x().after() >= window.x().span()) {
            throw new IllegalArgumentException(
                    "pool of " + in + ": expected less padding than the window covers, got " + window);
        }
    }

    @Override
    public void record(StepRecorder device) {
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        String file = "convolution/pool-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        StepKernel kernel = StepKernel.of(device, "convolution/pool").use("KIND", file);
        window.setIn(kernel, from, to)
                .set("AFTER_Y", window.y().after())
                .set("AFTER_X", window.x().after())
                .write("out", out, to.bytes())
                .read("input", in, from.bytes())
                .dispatch(label(), to.workgroups());
    }

    @Override
    public void record(CudaRecorder device) {
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        CudaKernel.of(device, "pool")
                .write(out, to.bytes())
                .read(in, from.bytes())
                .job(window.words(from, to).add(Words.numberOf(kind)))
                .launchElements(label(), to.elements());
    }

    @Override
    public Runnable bind(HostValues host) {
        ImageShape from = ImageShape.of(input);
        ImageShape to = ImageShape.of(output);
        boolean isMax = kind == Kind.MAX;
        float empty = isMax ? Float.NEGATIVE_INFINITY : 0;
        BinaryOperation combined = isMax ? BinaryOperation.MAXIMUM : BinaryOperation.ADD;
        MemorySegment images = HostFloats.words(host, in, from.elements());
        MemorySegment results = HostFloats.words(host, out, to.elements());
        Staging staging = Staging.of(from, window, to.height(), to.width(), empty);
        float[] divisors = divisors(from, to, staging.pitch());
        int room = Math.max(divisors.length, staging.inputRows() * from.width());
        Supplier<TileMemory.Worker> memory = TileMemory.of(host).workers(staging.channel(), divisors.length, room);
        WorkerTasks<TileMemory.Worker> tasks = new WorkerTasks<>(host, memory, (worker, channel) -> {
            float[] sums = worker.sums();
            int count = (to.height() - 1) * staging.pitch() + to.width();
            staging.stage(images, channel, 1, 0, worker);
            Arrays.fill(sums, 0, count, empty);
            for (int y = 0; y < window.y().size(); y++) {
                for (int x = 0; x < window.x().size(); x++) {
                    System.arraycopy(worker.operand(), staging.offset(y, x), worker.room(), 0, count);
                    combined.apply(sums, worker.room(), sums, count);
                }
            }
            if (!isMax) {
                BinaryOperation.DIVIDE.apply(sums, divisors, sums, count);
            }
            for (int y = 0; y < to.height(); y++) {
                HostFloats.write(sums, y * staging.pitch(), to.width(), results, to.row(channel, y));
            }
        });
        return () -> tasks.run(to.planes());
    }

    /** How many elements the mean at each place has, in rows of the pitch. */
    private float[] divisors(ImageShape from, ImageShape to, int pitch) {
        int[] down = counts(window.y(), from.height(), to.height());
        int[] right = counts(window.x(), from.width(), to.width());
        float[] divisors = new float[down.length * pitch];
        for (int i = 0; i < divisors.length; i++) {
            int x = i % pitch;
            divisors[i] = x < right.length ? down[i / pitch] * right[x] : 1;
        }
        return divisors;
    }

    /** How many elements a mean has along an axis, for each place of the window. */
    private int[] counts(SlidingWindow.Axis axis, int length, int places) {
        boolean withPadding = kind == Kind.MEAN_WITH_PADDING;
        int least = withPadding ? -axis.before() : 0;
        int end = withPadding ? length + axis.after() : length;
        int[] counts = new int[places];
        for (int i = 0; i < places; i++) {
            int first = i * axis.stride() - axis.before();
            for (int k = 0; k < axis.size(); k++) {
                int at = first + k * axis.dilation();
                counts[i] += at >= least && at < end ? 1 : 0;
            }
        }
        return counts;
    }
}
