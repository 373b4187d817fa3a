package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.reduction.Reduce;
import io.devicearena.kernels.reduction.Reduction;
import io.devicearena.kernels.step.StepKernel;
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
 * <p><b>Source:</b> {@code MaxPool}, {@code AveragePool} and {@code GlobalAveragePool} of ONNX, opset 22.
 *
 * @param out receives F32 of the shape {@link #output()}; not {@code in}
 * @param in F32 of the shape {@code input}
 * @param input the shape of the images
 * @param window what is replaced by one element
 * @param kind the largest element or a mean
 * @param isRoundedUp whether a window may begin inside the image and end behind the padding (ceil_mode)
 */
public record Pool(NodeId out, NodeId in, ImageShape input, SlidingWindow window, Kind kind, boolean isRoundedUp)
        implements KernelStep {
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

    /** Checks the window. */
    public Pool {
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(kind, "kind");
        Convolution.requireOther("pool", out, in);
        output(input, window, isRoundedUp);
        if (window.y().before() >= window.y().span()
                || window.x().before() >= window.x().span()
                || window.y().after() >= window.y().span()
                || window.x().after() >= window.x().span()) {
            throw new IllegalArgumentException(
                    "pool of " + in + ": expected less padding than the window covers, got " + window);
        }
    }

    /**
     * Returns the pool whose window is the whole image: GlobalAveragePool and GlobalMaxPool.
     *
     * @param out receives F32 [batch][channels]
     * @param in F32 of the shape {@code input}
     * @param input the shape of the images
     * @param kind the largest element or a mean
     * @return the step
     */
    public static Pool global(NodeId out, NodeId in, ImageShape input, Kind kind) {
        return new Pool(out, in, input, SlidingWindow.of(input.height(), input.width()), kind, false);
    }

    private static ImageShape output(ImageShape input, SlidingWindow window, boolean isRoundedUp) {
        return new ImageShape(
                input.batch(),
                input.channels(),
                window.y().places(input.height(), isRoundedUp),
                window.x().places(input.width(), isRoundedUp));
    }

    /** {@return the shape of the result} */
    public ImageShape output() {
        return output(input, window, isRoundedUp);
    }

    @Override
    public String label() {
        return "pool";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        ImageShape output = output();
        if (isGlobal()) {
            reduce().record(device);
            return;
        }
        String file = "convolution/pool-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
        StepKernel kernel = StepKernel.of(device, "convolution/pool").use("KIND", file);
        window.setIn(kernel, input, output)
                .set("AFTER_Y", window.y().after())
                .set("AFTER_X", window.x().after())
                .write("out", out, output.bytes())
                .read("input", in, input.bytes())
                .dispatch(label(), output.workgroups(device.facts()));
    }

    @Override
    public Runnable bind(HostValues host) {
        return isGlobal() ? reduce().bind(host) : new HostPool(this, host);
    }

    /** The same for a window that is the whole image. */
    private Reduce reduce() {
        List<Long> shape = List.of((long) input.batch() * input.channels(), (long) input.pixels());
        return new Reduce(out, in, kind == Kind.MAX ? Reduction.MAXIMUM : Reduction.MEAN, shape, List.of(1));
    }

    /** Whether the window is the whole image. */
    private boolean isGlobal() {
        return output().pixels() == 1 && window.covers(input);
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
