package io.devicearena.kernels.shape;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Adds a number around a value, along each dimension.
 *
 * <p>Elements are words of 4 bytes. The bits do not change.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives the larger shape: {@code before + extent + after} along each dimension
 * @param in words in a shape
 * @param shape of {@code in}: dimensions of 1 or more
 * @param before the elements that are added in front along each dimension, 0 or more
 * @param after the elements that are added behind along each dimension, 0 or more
 * @param fill the bits of what is added: of a float {@link Float#floatToRawIntBits}
 */
public record Pad(NodeId out, NodeId in, List<Long> shape, List<Long> before, List<Long> after, int fill)
        implements KernelStep {
    /** Checks the sizes. */
    public Pad {
        requireNonNull(out, "out");
        shape = List.copyOf(shape);
        before = List.copyOf(before);
        after = List.copyOf(after);
        if (shape.size() != before.size()
                || shape.size() != after.size()
                || shape.stream().anyMatch(extent -> extent < 1)
                || before.stream().anyMatch(added -> added < 0)
                || after.stream().anyMatch(added -> added < 0)) {
            throw new IllegalArgumentException("pad of " + in
                    + ": expected dimensions of 1 or more, each with 0 or more elements in front and behind, got "
                    + shape + ", " + before + " and " + after);
        }
    }

    @Override
    public String label() {
        return "pad";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    private List<Long> padded() {
        return IntStream.range(0, shape.size())
                .mapToObj(d -> before.get(d) + shape.get(d) + after.get(d))
                .toList();
    }

    @Override
    public void record(StepRecorder device) {
        StringBuilder text = new StringBuilder("""
            const first_input: u32 = 0u; //! job
            @group(0) @binding(0) var<storage, read> input: array<u32>;

            fn place(i: u32) -> u32 { return i; }

            fn element(i: u32) -> u32 {
                var rest = i;
                var at = first_input;
                var j = 0u;
            """);
        List<Long> strides = Loops.dense(shape);
        List<Long> padded = padded();
        for (int d = shape.size() - 1; d >= 0; d--) {
            // in front of the value it is a large number
            text.append(String.format(Locale.ROOT, "    j = rest %% %du - %du;\n", padded.get(d), before.get(d)));
            text.append(String.format(
                    Locale.ROOT, "    if (j >= %du) { return %su; }\n", shape.get(d), Integer.toUnsignedString(fill)));
            text.append(String.format(
                    Locale.ROOT, "    at += j * %du;\n    rest /= %du;\n", strides.get(d), padded.get(d)));
        }
        long elements = Loops.product(padded);
        StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text.append("    return input[at];\n}\n").toString())
                .write("out", out, elements * Integer.BYTES)
                .read("input", in, Loops.product(shape) * Integer.BYTES)
                .dispatchElements(label(), elements);
    }

    @Override
    public Runnable bind(HostValues host) {
        List<Long> strides = Loops.dense(padded());
        long first = 0;
        for (int d = 0; d < shape.size(); d++) {
            first += before.get(d) * strides.get(d);
        }
        long elements = Loops.product(padded());
        MemorySegment to = HostFloats.words(host, out, elements);
        Runnable copy = new StridedCopy(
                        new Strided(out, first, strides), Strided.dense(in, shape), shape, Integer.BYTES)
                .bind(host);
        return () -> {
            for (long i = 0; i < elements; i++) {
                HostFloats.setWord(to, i, fill);
            }
            copy.run();
        };
    }
}
