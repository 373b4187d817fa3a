package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.StepKernel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

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
 * @param out receives F32 [batch][channels][y.length][x.length]; not {@code in}
 * @param in F32 of the shape {@code input}
 * @param input the shape of the images
 * @param y the height of the result
 * @param x the width of the result
 * @param interpolation how an element gets its value
 */
public record Resize(NodeId out, NodeId in, ImageShape input, Axis y, Axis x, Interpolation interpolation)
        implements KernelStep {
    /**
     * One axis of the result.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param length its elements, 1 or more
     * @param scale elements of the result for each of the original, above 0: what the model says, which may differ from
     *     the lengths' quotient
     */
    public record Axis(int length, double scale) {
        /** Checks the ranges. */
        public Axis {
            if (length < 1 || !(scale > 0) || !Double.isFinite(scale)) {
                throw new IllegalArgumentException(
                        "resize: expected a length of 1 or more and a scale above 0, got " + length + " and " + scale);
            }
        }
    }

    /** Checks the shapes. */
    public Resize {
        Objects.requireNonNull(interpolation, "interpolation");
        Convolution.requireOther("resize", out, in);
        new ImageShape(input.batch(), input.channels(), y.length(), x.length());
    }

    /**
     * Returns the step for a size of the result.
     *
     * @param out receives F32 [batch][channels][height][width]
     * @param in F32 of the shape {@code input}
     * @param input the shape of the images
     * @param height of the result, 1 or more
     * @param width of the result, 1 or more
     * @param interpolation how an element gets its value
     * @return the step
     */
    public static Resize to(
            NodeId out, NodeId in, ImageShape input, int height, int width, Interpolation interpolation) {
        return new Resize(
                out,
                in,
                input,
                new Axis(height, (double) height / input.height()),
                new Axis(width, (double) width / input.width()),
                interpolation);
    }

    /** {@return the shape of the result} */
    public ImageShape output() {
        return new ImageShape(input.batch(), input.channels(), y.length(), x.length());
    }

    @Override
    public String label() {
        return "resize";
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
        int[] rows = Places.of(y, input.height(), interpolation).words();
        int[] columns = Places.of(x, input.width(), interpolation).words();
        int[] places = Arrays.copyOf(rows, rows.length + columns.length);
        System.arraycopy(columns, 0, places, rows.length, columns.length);
        StepKernel.of(device, "convolution/resize")
                .set("HEIGHT", input.height())
                .set("WIDTH", input.width())
                .set("OUT_HEIGHT", output.height())
                .set("OUT_WIDTH", output.width())
                .set("ELEMENTS", output.elements())
                .constants("places", places)
                .write("out", out, output.bytes())
                .read("input", in, input.bytes())
                .dispatch(label(), output.workgroups(device.facts()));
    }

    @Override
    public Runnable bind(HostValues host) {
        return new HostResize(this, host);
    }
}
