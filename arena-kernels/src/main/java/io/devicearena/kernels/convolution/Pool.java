package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

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
        return new HostPool(this, host);
    }

    /** How many elements a mean has along an axis, for each place of the window. */
    int[] counts(SlidingWindow.Axis axis, int length, int places) {
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
