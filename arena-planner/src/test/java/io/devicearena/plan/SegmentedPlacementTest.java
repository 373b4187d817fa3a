package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentedPlacementTest {
    private static final long MIB = 1L << 20;

    @ParameterizedTest
    @ValueSource(longs = {-16, 8, 24})
    void segmentsThatAreNoMultipleOfTheAlignment_areRefused(long bytes) {
        assertThatThrownBy(() -> PlanOptions.declared(16).withSegments(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("segments: expected 0 or a multiple of the alignment of 16 bytes, got " + bytes);
    }

    @Test
    void boundaryLargerThanASegment_isRefused() {
        PlanOptions options = PlanOptions.declared(16).withSegments(64);
        assertThatThrownBy(() -> options.withBoundary(128))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("boundary: expected at most the 64 bytes of a segment, got 128");
    }

    @Test
    void planThatFitsOneSegment_isTheSame() {
        TestGraph graph =
                new TestGraph().parameter(0, 64).op(1, 32, 0).op(2, 32, 1).output(3, 8, 2);
        PlanOptions options = PlanOptions.f32Uniform(16);

        assertThat(MemoryPlanner.plan(graph, options.withSegments(1 << 20)))
                .isEqualTo(MemoryPlanner.plan(graph, options));
    }

    @Test
    void weights_areNotPadded() {
        TestGraph graph = new TestGraph()
                .parameter(0, 12)
                .parameter(1, 12)
                .parameter(2, 12)
                .parameter(3, 12);
        PlanOptions options = PlanOptions.f32Uniform(16).withSegments(80);

        assertThat(MemoryPlanner.plan(graph, options).plan().arenaSize()).isEqualTo(192);
    }

    @Test
    void valueLargerThanASegment_beginsOne() {
        TestGraph graph = new TestGraph()
                .parameter(0, 4)
                .op(1, 100, 0)
                .op(2, 12, 1)
                .op(3, 12, 2)
                .op(4, 100, 3);
        PlanOptions options = PlanOptions.f32Uniform(16).withSegments(64);

        PlanResult planned = MemoryPlanner.plan(graph, options);

        PlanValidator.validate(planned.plan(), graph, options);
        SegmentLayout layout =
                SegmentLayout.of(planned.plan().slots(), planned.plan().arenaSize(), 64, 16);
        for (BufferSlot slot : planned.plan().slots().values()) {
            if (slot.size() > 64) {
                assertThat(layout.start(layout.indexOf(slot.offset()))).isEqualTo(slot.offset());
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void randomGraphs_haveSegments(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 25; round++) {
            TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(60));
            PlanOptions options = PlanOptions.f32Uniform(16)
                    .withStrategy(PlacementStrategies.all().get(round % 2))
                    .withSegments(16 * random.nextLong(30, 130));
            PlanResult planned = MemoryPlanner.plan(graph, options);
            PlanValidator.validate(planned.plan(), graph, options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void randomBuffers_manyLargerThanASegment_haveSegments(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20; round++) {
            PlanOptions options = PlanOptions.declared(8).withSegments(8 * random.nextLong(1, 21));
            List<LiveBuffer> buffers = Stream.iterate(0, i -> i + 1)
                    .limit(1 + random.nextInt(40))
                    .map(i -> {
                        long first = random.nextLong(20);
                        long end = random.nextInt(4) == 0 ? 20 : first + random.nextLong(1, 6);
                        return new LiveBuffer(
                                NodeId.of(i),
                                random.nextInt(4) == 0 ? 0 : first,
                                Math.min(end, 24),
                                random.nextLong(1, 301));
                    })
                    .toList();
            PlanResult planned = MemoryPlanner.plan(buffers, options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
        }
    }

    static Stream<Arguments> transformers() {
        return Stream.of(
                        // layers, width, width of the feed-forward part, width of keys and values, vocabulary
                        new Transformer("1B", 16, 2048, 8192, 512, 128_256),
                        new Transformer("3B", 28, 3072, 8192, 1024, 128_256),
                        new Transformer("7B", 32, 4096, 11_008, 4096, 32_000),
                        new Transformer("8B", 32, 4096, 14_336, 1024, 128_256),
                        new Transformer("13B", 40, 5120, 13_824, 5120, 32_000),
                        new Transformer("34B", 48, 8192, 22_016, 1024, 32_000),
                        new Transformer("70B", 80, 8192, 28_672, 1024, 128_256))
                .flatMap(shape -> Stream.of(16, 4)
                        .flatMap(bits -> Stream.of(128 * MIB, 256 * MIB, 2048 * MIB, 4_292_870_144L)
                                .map(segment -> Arguments.of(shape, bits, segment, 512))));
    }

    /** Segments may cost half a percent of the best plan without them. */
    @ParameterizedTest(name = "{0}, {1} bits, segments of {2} bytes, {3} tokens")
    @MethodSource("transformers")
    void transformers_wasteLittle(Transformer shape, int bits, long segment, int tokens) {
        TestGraph graph = shape.graph(bits, tokens);
        PlanOptions options = PlanOptions.declared(256);
        PlanOptions segments = options.withSegments(segment);

        PlanResult planned = MemoryPlanner.plan(graph, segments);

        PlanValidator.validate(planned.plan(), graph, segments);
        assertThat(planned.plan().arenaSize() / (double) planned.lowerBoundBytes())
                .isLessThanOrEqualTo(1.005);
    }

    record Transformer(String name, int layers, int width, int hidden, int keyWidth, int vocabulary) {
        @Override
        public String toString() {
            return name;
        }

        /** Weights as bytes, activations and the logits of all tokens as f32. */
        TestGraph graph(int bits, int tokens) {
            Builder made = new Builder(bits, tokens);
            long embedding = made.weight((long) vocabulary * width);
            long x = made.op(width, embedding);
            for (int l = 0; l < layers; l++) {
                long normed = made.op(width, x, made.weight(width));
                long q = made.op(width, normed, made.weight((long) width * width));
                long k = made.op(keyWidth, normed, made.weight((long) width * keyWidth));
                long v = made.op(keyWidth, normed, made.weight((long) width * keyWidth));
                long attended = made.op(width, q, k, v);
                long after = made.op(width, attended, x, made.weight((long) width * width));
                long second = made.op(width, after, made.weight(width));
                long gate = made.op(hidden, second, made.weight((long) width * hidden));
                long up = made.op(hidden, second, gate, made.weight((long) width * hidden));
                x = made.op(width, up, after, made.weight((long) hidden * width));
            }
            made.op(vocabulary, x, made.weight((long) vocabulary * width));
            return made.graph;
        }
    }

    private static final class Builder {
        private final TestGraph graph = new TestGraph();
        private final int bits;
        private final int tokens;
        private long next;

        Builder(int bits, int tokens) {
            this.bits = bits;
            this.tokens = tokens;
        }

        long weight(long elements) {
            graph.node(
                    TestNode.of(next, NodeRole.PARAMETER, elements * bits / 8).as(DType.U8));
            return next++;
        }

        long op(long columns, long... inputs) {
            graph.op(next, columns * tokens, inputs);
            return next++;
        }
    }
}
