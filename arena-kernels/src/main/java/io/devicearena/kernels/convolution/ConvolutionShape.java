package io.devicearena.kernels.convolution;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.tile.Finish;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The shapes of a convolution, or of a transposed one.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param input the shape of what is convolved: [batch][channels][height][width], or [batch][channels][width] of signals
 * @param output the shape of the result, as many dimensions. It says how much of a last window is used, and the output
 *     padding of a transposed convolution
 * @param groups how many parts of the channels are convolved by themselves; it divides both numbers of channels. With
 *     as many groups as channels, the convolution is depthwise
 * @param window the size of the kernels, and how they move: over the input, or over the output of a transposed one
 */
public record ConvolutionShape(List<Long> input, List<Long> output, int groups, SlidingWindow window) {
    /** Checks that the shapes are of images, and that the groups divide the channels. */
    public ConvolutionShape {
        input = List.copyOf(input);
        output = List.copyOf(output);
        Objects.requireNonNull(window, "window");
        ImageShape in = ImageShape.of(input);
        ImageShape out = ImageShape.of(output);
        if (groups < 1
                || in.channels() % groups != 0
                || out.channels() % groups != 0
                || in.batch() != out.batch()
                || input.size() != output.size()) {
            throw new IllegalArgumentException("convolution: expected as many images as results, and groups that divide"
                    + " the channels, got " + groups + " groups from " + input + " to " + output);
        }
    }

    ImageShape in() {
        return ImageShape.of(input);
    }

    ImageShape out() {
        return ImageShape.of(output);
    }

    /** The channels of the input that a group has. */
    int inGroup() {
        return in().channels() / groups;
    }

    /** The channels of the result that a group has. */
    int outGroup() {
        return out().channels() / groups;
    }

    /** {@return the elements of all kernels} */
    public int weights() {
        return Math.multiplyExact(out().channels(), depth());
    }

    /** The products of an element of the result. */
    int depth() {
        return inGroup() * window.taps();
    }

    Epilogue epilogue(Expression end) {
        return new Epilogue(end, output, 1);
    }

    List<NodeId> reads(NodeId in, NodeId weights, Expression end) {
        return Stream.concat(Stream.of(in, weights), epilogue(end).reads().stream())
                .toList();
    }

    /** Sets the shapes in a kernel, and binds the values of a step. */
    StepKernel setIn(StepKernel kernel, NodeId out, NodeId in, NodeId weights, Expression end) {
        window.setIn(kernel, in(), out());
        return Finish.setIn(kernel, epilogue(end), out)
                .set("IN_GROUP", inGroup())
                .set("OUT_GROUP", outGroup())
                .read("input", in, in().bytes())
                .read("weights", weights, (long) weights() * Float.BYTES);
    }

    /** Begins a kernel in CUDA with the values of a step and the {@code Convolution} of {@code images.cuh}. */
    CudaKernel kernel(CudaRecorder device, String name, NodeId out, NodeId in, NodeId weights, Expression end) {
        return Finish.kernel(device, name, epilogue(end), out)
                .read(in, in().bytes())
                .read(weights, (long) weights() * Float.BYTES)
                .job(window.words(in(), out())
                        .add(inGroup())
                        .divisor(outGroup())
                        .divisor(groups)
                        .divisor(window.taps())
                        .divisor(window.x().size()));
    }
}
