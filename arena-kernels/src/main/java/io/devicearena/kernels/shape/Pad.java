package io.devicearena.kernels.shape;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
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
 * @param out receives the larger shape
 * @param in words in a shape
 * @param shape of {@code in}: 1 or more dimensions of 1 or more
 * @param pads the elements that are added in front along each dimension, then those behind along each; 0 or more
 * @param mode what is added
 * @param fill the bits of what is added in the mode {@link Mode#CONSTANT}: of a float {@link Float#floatToRawIntBits}
 */
public record Pad(NodeId out, NodeId in, List<Long> shape, List<Long> pads, Mode mode, int fill)
        implements OneInputStep, CudaStep {
    /**
     * What is added.
     *
     * <p><b>Threads:</b> immutable.
     *
     * <p><b>Source:</b> the names are those of {@code Pad} of ONNX, opset 21.
     */
    public enum Mode {
        /** A number. */
        CONSTANT,
        /** The nearest element. */
        EDGE,
        /** The elements backwards, without the one at the edge: there must be more of them than are added. */
        REFLECT
    }

    /** Checks the sizes. */
    public Pad {
        requireNonNull(mode, "mode");
        shape = List.copyOf(shape);
        pads = List.copyOf(pads);
        int rank = shape.size();
        if (rank == 0
                || pads.size() != 2 * rank
                || shape.stream().anyMatch(extent -> extent < 1)
                || pads.stream().anyMatch(added -> added < 0)) {
            throw new IllegalArgumentException("pad of " + in
                    + ": expected dimensions of 1 or more, each with 0 or more elements in front and behind, got "
                    + shape + " and " + pads);
        }
        for (int i = 0; i < 2 * rank && mode == Mode.REFLECT; i++) {
            if (pads.get(i) >= shape.get(i % rank)) {
                throw new IllegalArgumentException("pad of " + in + ": expected fewer than " + shape.get(i % rank)
                        + " elements to reflect along dimension " + i % rank + ", got " + pads.get(i));
            }
        }
    }

    private List<Long> padded() {
        return IntStream.range(0, shape.size())
                .mapToObj(d -> pads.get(d) + shape.get(d) + pads.get(shape.size() + d))
                .toList();
    }

    @Override
    public void record(StepRecorder device) {
        StringBuilder text = new StringBuilder(StepKernel.declaration("input")).append("""

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
                case CONSTANT -> "if (j < 0 || j > %d) { return %uu; }".replace("%u", Integer.toUnsignedString(fill));
                case EDGE -> "j = clamp(j, 0, %d);";
                case REFLECT -> "j = %1$d - abs(%1$d - abs(j));";
            };
            text.append(String.format(Locale.ROOT, "    j = i32(rest %% %du) - %d;\n    ", padded.get(d), pads.get(d)))
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

    @Override
    public void record(CudaRecorder device) {
        long elements = Loops.product(padded());
        CudaKernel.of(device, "pad")
                .write(out, elements * Integer.BYTES)
                .read(in, Loops.product(shape) * Integer.BYTES)
                .job(new Words()
                        .add(Words.numberOf(mode), fill, elements)
                        .extents(padded())
                        .padded(shape, Words.MOST_LOOPS)
                        .padded(pads.subList(0, shape.size()), Words.MOST_LOOPS))
                .launchElements(label(), elements);
    }

    /** The place in the value for each place of a dimension; -1 is outside. */
    private int[] places(int d) {
        int last = Math.toIntExact(shape.get(d) - 1);
        return IntStream.range(0, Math.toIntExact(padded().get(d)))
                .map(i -> i - Math.toIntExact(pads.get(d)))
                .map(j -> switch (mode) {
                    case CONSTANT -> j < 0 || j > last ? -1 : j;
                    case EDGE -> Math.clamp(j, 0, last);
                    case REFLECT -> last - Math.abs(last - Math.abs(j));
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
