package io.devicearena.kernels.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens are chosen as double precision chooses them for the same draws, and the cursor moves. */
class TopKTopPTest {
    private static final long SEED = 0x0123_4567_89ab_cdefL;
    private static final int DRAWS = 16;

    /**
     * Weights are at most 1, their sum is 1 or more, and at most 256 of them are off by 3 + 2 |x| units with |x| below
     * 16, and by one for each addition: 300 * 2^-24 of the sum, rounded up.
     */
    private static final double NEAR = 0x1p-15;

    private record Setting(float temperature, int topK, float topP) {}

    /** The tokens that are chosen for steps 0, 1, and so on. */
    private static int[] chosen(Place place, float[] logits, Setting setting) {
        StepTrial trial = new StepTrial();
        NodeId in = trial.floats(logits);
        NodeId scratch = trial.ints(new int[(int) TopKTopP.scratchWords(logits.length, setting.topK)]);
        List<KernelStep> steps = new ArrayList<>();
        List<NodeId> cursors = new ArrayList<>();
        for (int i = 0; i < DRAWS; i++) {
            NodeId cursor = trial.ints(40, 7, 99, i);
            cursors.add(cursor);
            steps.add(new TopKTopP(
                    in,
                    logits.length,
                    new TopKTopP.Draw(setting.temperature, setting.topK, setting.topP, SEED),
                    scratch,
                    cursor));
        }
        trial.run(place, steps);
        int[] tokens = new int[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            int[] cursor = trial.intsOf(cursors.get(i));
            tokens[i] = cursor[2];
            assertThat(cursor).containsExactly(47, 1, cursor[2], i + 1);
        }
        return tokens;
    }

    static Stream<Arguments> cases() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Stream.of(
                        Arguments.of(place, 5000, 0.5f, 40, 0.9f),
                        Arguments.of(place, 20_001, 1f, 256, 1f),
                        Arguments.of(place, 1025, 2f, 200, 0.5f),
                        Arguments.of(place, 1024, 0.1f, 3, 0.99f),
                        Arguments.of(place, 7, 1f, 20, 1f),
                        Arguments.of(place, 1, 1f, 1, 1f)));
    }

    @ParameterizedTest(name = "{0}: {1} logits, temperature {2}, top {3}, {4}")
    @MethodSource("cases")
    void draws_ofRandomLogits_areThoseOfDoublePrecision(
            Place place, int vocabulary, float temperature, int topK, float topP) {
        float[] logits = StepTrial.random(vocabulary, 5);
        for (int i = 0; i < vocabulary; i++) {
            logits[i] *= 8;
        }
        int[] tokens = chosen(place, logits, new Setting(temperature, topK, topP));

        int[] order = IntStream.range(0, vocabulary)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -logits[i]))
                .limit(topK)
                .mapToInt(i -> i)
                .toArray();
        double[] sums = new double[order.length];
        double total = 0;
        for (int i = 0; i < order.length; i++) {
            total += Math.exp(((double) logits[order[i]] - logits[order[0]]) / temperature);
            sums[i] = total;
        }
        int last = firstAbove(sums, topP * total, order.length - 1);
        for (int draw = 0; draw < DRAWS; draw++) {
            double at = Philox.fraction(draw, SEED) * sums[last];
            int low = firstAbove(sums, at - NEAR * total, last);
            int high = firstAbove(sums, at + NEAR * total, last);
            assertThat(tokens[draw])
                    .as("draw %d", draw)
                    .isIn(Arrays.stream(order, low, high + 1).boxed().toList());
        }
        if (vocabulary == 20_001) {
            assertThat(Arrays.stream(tokens).distinct().count()).isGreaterThan(DRAWS / 2);
        }
    }

    private static int firstAbove(double[] sums, double at, int last) {
        int i = 0;
        while (i < last && sums[i] <= at) {
            i++;
        }
        return i;
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void equalLogits_thoseOfLowIndicesAreKept(Place place) {
        float[] logits = new float[3000];
        Arrays.fill(logits, Float.NEGATIVE_INFINITY);
        Arrays.fill(logits, 1500, 2500, Float.POSITIVE_INFINITY);
        logits[3] = Float.NaN;

        assertThat(chosen(place, logits, new Setting(1, 5, 1))).containsOnly(1500, 1501, 1502, 1503, 1504);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void smallTopP_theLargestIsChosen(Place place) {
        float[] logits = StepTrial.random(3000, 6);
        logits[2999] = 2;

        assertThat(chosen(place, logits, new Setting(5, 256, 1e-6f))).containsOnly(2999);
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void nan_isNotChosen(Place place) {
        float[] logits = new float[1100];
        Arrays.fill(logits, Float.NaN);
        assertThat(chosen(place, logits, new Setting(1, 9, 1))).containsOnly(0);

        logits[1050] = -1000;
        assertThat(chosen(place, logits, new Setting(1, 9, 1))).containsOnly(1050);
    }

    /** What a bound step keeps from a run does not change the next. */
    @Test
    void boundStep_runOnOtherLogits_choosesAsAFreshOne() {
        int vocabulary = 3000;
        NodeId logits = NodeId.of(1);
        NodeId cursor = NodeId.of(2);
        MemorySegment values = MemorySegment.ofArray(new float[vocabulary]);
        MemorySegment words = MemorySegment.ofArray(new int[4]);
        HostValues host = new Values(Map.of(logits, values, cursor, words));
        TopKTopP step = new TopKTopP(logits, vocabulary, new TopKTopP.Draw(0.1f, 50, 0.9f, SEED), NodeId.of(3), cursor);
        Runnable bound = step.bind(host);
        for (int run = 0; run < DRAWS; run++) {
            HostFloats.write(StepTrial.random(vocabulary, run), values, 0);
            MemorySegment.copy(MemorySegment.ofArray(new int[] {40, 7, 99, run}), 0, words, 0, words.byteSize());
            bound.run();
            int choice = HostFloats.word(words, 2);
            MemorySegment.copy(MemorySegment.ofArray(new int[] {40, 7, 99, run}), 0, words, 0, words.byteSize());
            step.compute(host);
            assertThat(choice).as("run %d", run).isEqualTo(HostFloats.word(words, 2));
        }
    }

    /** Values without an arena; tasks are done one after the other. */
    private record Values(Map<NodeId, MemorySegment> segments) implements HostValues {
        @Override
        public MemorySegment bytes(NodeId id) {
            return Objects.requireNonNull(segments.get(id));
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
            return 7;
        }
    }

    @Test
    void philox_itsWords_areThoseOfTheKnownAnswers() {
        // Source: the known answers of Random123 1.14, philox2x32 with 10 rounds
        assertThat(Philox.words(0, 0)).isEqualTo(0x6cd10df2_ff1dae59L);
        assertThat(Philox.words(-1, -1)).isEqualTo(0xab4fd7ad_2c3f628bL);
        assertThat(Philox.words(0x85a308d3_243f6a88L, 0x13198a2e)).isEqualTo(0xf62a4c12_dd7ce038L);
    }

    @Test
    void draws_ofOtherSeedsAndSteps_differ() {
        assertThat(Stream.of(
                                Philox.fraction(0, 1),
                                Philox.fraction(1, 1),
                                Philox.fraction(0, 2),
                                Philox.fraction(0, 1L << 32))
                        .distinct())
                .hasSize(4)
                .allMatch(x -> x >= 0 && x < 1);
    }

    @Test
    void settings_outOfRange_areRefused() {
        NodeId id = NodeId.of(1);
        assertThatThrownBy(() -> new TopKTopP(id, 0, new TopKTopP.Draw(1, 1, 1, 0), id, id))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("vocabulary: expected 1 or more logits, got 0");
        assertThatThrownBy(() -> new TopKTopP.Draw(0, 1, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("temperature: expected a finite number above 1e-38, got 0.0;"
                        + " for the largest logit use ArgMax");
        assertThatThrownBy(() -> new TopKTopP.Draw(1, 257, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("topK: expected 1 to 256, got 257");
        assertThatThrownBy(() -> new TopKTopP.Draw(1, 1, 1.5f, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("topP: expected a number above 0, at most 1, got 1.5");
        assertThat(TopKTopP.scratchWords(262_144, 64)).isEqualTo(2 * (256 * 64 + 16 * 64));
    }
}
