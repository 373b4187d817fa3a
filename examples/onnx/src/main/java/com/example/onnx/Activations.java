package com.example.onnx;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.activation.ElementFunction;
import io.devicearena.kernels.activation.ElementFunction.Kind;
import io.devicearena.kernels.elementwise.Elementwise;
import io.devicearena.kernels.elementwise.Expression;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds the activation that an expression is. Models write one in many ways: x * 0.5 * (1 + erf(x / 1.414)) is GELU. So
 * it is not the text that is compared, but the results for numbers of all sizes.
 */
final class Activations {
    private static final int POINTS = 512;
    private static final float NEAR = 2e-6f;

    private Activations() {}

    /** The function of the sum of all inputs that an expression is, if it is one. */
    static Optional<ElementFunction> of(Expression expression, int inputs) {
        SplittableRandom random = new SplittableRandom(1);
        float[][] terms = new float[inputs][POINTS];
        float[] sums = new float[POINTS];
        for (int i = 0; i < POINTS; i++) {
            double size = Math.pow(2, random.nextDouble(-10, 7));
            for (float[] term : terms) {
                // with few bits: sums are exact in any order
                term[i] = Math.round(random.nextDouble(-size, size) * 4096) / 4096f;
                sums[i] += term[i];
            }
        }
        float[] results = evaluated(expression, terms);
        return candidates(expression, inputs).filter(it -> isSame(it, sums, results)).findFirst();
    }

    private static Stream<ElementFunction> candidates(Expression expression, int inputs) {
        float[][] at = new float[inputs][4];
        at[0] = new float[] {-1000, 1000, 0, 1};
        float[] y = evaluated(expression, at);
        Stream<ElementFunction> fixed = Stream.of(
                        Kind.NONE,
                        Kind.RELU,
                        Kind.SIGMOID,
                        Kind.TANH,
                        Kind.HARD_SWISH,
                        Kind.SILU,
                        Kind.GELU_ERF,
                        Kind.GELU_TANH)
                .map(ElementFunction::of);
        if (!Float.isFinite(y[0] + y[1] + y[2] + y[3])) {
            return fixed;
        }
        return Stream.concat(
                fixed,
                Stream.of(
                        new ElementFunction(Kind.LEAKY_RELU, y[0] / -1000, 0),
                        ElementFunction.clip(y[0], y[1]),
                        new ElementFunction(Kind.HARD_SIGMOID, y[3] - y[2], y[2])));
    }

    private static boolean isSame(ElementFunction function, float[] x, float... results) {
        float[] expected = x.clone();
        function.apply(expected, 0, x.length);
        float near = function.kind() == Kind.NONE ? 0 : NEAR;
        return IntStream.range(0, x.length)
                .allMatch(i -> Math.abs(expected[i] - results[i]) <= near * Math.max(1, Math.abs(x[i])));
    }

    private static float[] evaluated(Expression expression, float[]... inputs) {
        Memory memory = new Memory(new HashMap<>());
        List<NodeId> ids = new ArrayList<>();
        for (float[] input : inputs) {
            ids.add(NodeId.of(ids.size()));
            memory.values.put(ids.getLast(), MemorySegment.ofArray(input));
        }
        float[] out = new float[inputs[0].length];
        NodeId id = NodeId.of(ids.size());
        memory.values.put(id, MemorySegment.ofArray(out));
        Elementwise.dense(id, List.of((long) out.length), expression, ids.toArray(NodeId[]::new))
                .compute(memory);
        return out;
    }

    /** Values in arrays, and one thread. */
    private record Memory(Map<NodeId, MemorySegment> values) implements HostValues {
        @Override
        public MemorySegment bytes(NodeId id) {
            return values.get(id);
        }

        @Override
        public void parallel(int tasks, IntConsumer body) {
            IntStream.range(0, tasks).forEach(body);
        }

        @Override
        public <T> T kept(Class<T> type, Supplier<T> make) {
            return make.get();
        }

        @Override
        public int threads() {
            return 1;
        }
    }
}
