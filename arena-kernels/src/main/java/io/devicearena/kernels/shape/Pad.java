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
 * Adds elements around a value, along each dimension.
 *
 * <p>Elements are words of 4 bytes. The bits do not change.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives the larger shape: {@code before + extent + after} along each dimension
 * @param in words in a shape
 * @param shape of {@code in}: 1 or more dimensions of 1 or more
 * @param before the elements that are added in front along each dimension, 0 or more
 * @param after the elements that are added behind along each dimension, 0 or more
 * @param mode what is added
 * @param fill the bits of what is added in the mode {@link Mode#NUMBER}: of a float {@link Float#floatToRawIntBits}
 */
public record Pad(NodeId out, NodeId in, List<Long> shape, List<Long> before, List<Long> after, Mode mode, int fill)
        implements KernelStep {
    /**
     * What is added.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Mode {
        /** A number. */
        NUMBER,
        /** The nearest element. */
        EDGE,
        /** The elements backwards, without the one at the edge: there must be more of them than are added. */
        REFLECTION
    }

    /** Checks the sizes. */
    public Pad {
        requireNonNull(out, "out");
        requireNonNull(mode, "mode");
        shape = List.copyOf(shape);
        before = List.copyOf(before);
        after = List.copyOf(after);
        int rank = shape.size();
        if (rank == 0
                || before.size() != rank
                || after.size() != rank
                || shape.stream().anyMatch(extent -> extent < 1)
                || before.stream().anyMatch(added -> added < 0)
                || after.stream().anyMatch(added -> added < 0)) {
            throw new IllegalArgumentException("pad of " + in
                    + ": expected dimensions of 1 or more, each with 0 or more elements in front and behind, got "
                    + shape + ", " + before + " and " + after);
        }
        for (int d = 0; d < rank && mode == Mode.REFLECTION; d++) {
            if (Math.max(before.get(d), after.get(d)) >= shape.get(d)) {
                throw new IllegalArgumentException("pad of " + in + ": expected fewer than " + shape.get(d)
                        + " elements to reflect along dimension " + d + ", got " + before.get(d) + " and "
                        + after.get(d));
            }
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
                var j = 0;
            """);
        List<Long> strides = Loops.dense(shape);
        List<Long> padded = padded();
        for (int d = shape.size() - 1; d >= 0; d--) {
            String outside = switch (mode) {
                case NUMBER -> "if (j < 0 || j > %d) { return %uu; }".replace("%u", Integer.toUnsignedString(fill));
                case EDGE -> "j = clamp(j, 0, %d);";
                case REFLECTION -> "j = %1$d - abs(%1$d - abs(j));";
            };
            text.append(String.format(
                            Locale.ROOT, "    j = i32(rest %% %du) - %d;\n    ", padded.get(d), before.get(d)))
                    .append(String.format(Locale.ROOT, outside, shape.get(d) - 1))
                    .append(String.format(
                            Locale.ROOT,
                            "\n    at += u32(j) * %du;\n    rest /= %du;\n",
                            strides.get(d),
                            padded.get(d)));
        }
        long elements = Loops.product(padded);
        StepKernel.of(device, "step/elements")
                .ofWords()
                .part("ELEMENT", text.append("    return input[at];\n}\n").toString())
                .write("out", out, elements * Integer.BYTES)
                .read("input", in, Loops.product(shape) * Integer.BYTES)
                .dispatchElements(label(), elements);
    }

    /** The place in the value for each place of a dimension; -1 is outside. */
    private int[] places(int d) {
        int last = Math.toIntExact(shape.get(d) - 1);
        return IntStream.range(0, Math.toIntExact(padded().get(d)))
                .map(i -> i - Math.toIntExact(before.get(d)))
                .map(j -> switch (mode) {
                    case NUMBER -> j < 0 || j > last ? -1 : j;
                    case EDGE -> Math.clamp(j, 0, last);
                    case REFLECTION -> last - Math.abs(last - Math.abs(j));
                })
                .toArray();
    }

    @Override
    public Runnable bind(HostValues host) {
        int rank = shape.size();
        int[][] places = IntStream.range(0, rank).mapToObj(this::places).toArray(int[][]::new);
        int[] columns = places[rank - 1];
        long rows = Loops.product(padded().subList(0, rank - 1));
        MemorySegment from = HostFloats.words(host, in, Loops.product(shape));
        MemorySegment to = HostFloats.words(host, out, rows * columns.length);
        return () -> host.parallel(Math.toIntExact(rows), row -> {
            long first = 0;
            int rest = row;
            long stride = shape.get(rank - 1);
            for (int d = rank - 2; d >= 0; d--) {
                int place = places[d][rest % places[d].length];
                first = place < 0 || first < 0 ? -1 : first + place * stride;
                rest /= places[d].length;
                stride *= shape.get(d);
            }
            for (int i = 0; i < columns.length; i++) {
                boolean isOutside = first < 0 || columns[i] < 0;
                int word = isOutside ? fill : HostFloats.word(from, first + columns[i]);
                HostFloats.setWord(to, (long) row * columns.length + i, word);
            }
        });
    }
}
