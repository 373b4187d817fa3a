package io.devicearena.kernels.convolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PoolTest {
    private final StepTrial trial = new StepTrial();

    static Stream<Arguments> placesAndSeeds() {
        return Place.withoutCuda().stream()
                .flatMap(place ->
                        Stream.iterate(1, seed -> seed <= 15, seed -> seed + 1).map(seed -> Arguments.of(place, seed)));
    }

    private static SlidingWindow.Axis axis(SplittableRandom random, int length) {
        int size = Math.min(length, random.nextInt(1, 5));
        int dilation = (size - 1) * 2 < length ? random.nextInt(1, 3) : 1;
        return new SlidingWindow.Axis(
                size, random.nextInt(1, 4), random.nextInt(0, size), random.nextInt(0, size), size == 1 ? 1 : dilation);
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void pool_anyShape_isTheLargestOrTheMean(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ImageShape input = new ImageShape(
                random.nextInt(1, 3), random.nextInt(1, 7), random.nextInt(1, 30), random.nextInt(1, 30));
        Pool.Kind kind = List.of(Pool.Kind.values()).get(seed % 3);
        NodeId out = trial.floats(new float[2 * input.elements() + 200]);
        float[] x = StepTrial.random(input.elements(), seed);
        NodeId in = trial.floats(x);
        Pool step = random.nextInt(3) == 0
                ? Pool.global(out, in, input, kind)
                : new Pool(
                        out,
                        in,
                        input,
                        new SlidingWindow(axis(random, input.height()), axis(random, input.width())),
                        kind,
                        random.nextBoolean());

        float[] got = trial.run(place, step, out).getFirst();
        ImageShape output = step.output();
        for (int i = 0; i < output.elements(); i++) {
            check(got[i], step, x, i);
        }
    }

    private static void check(float got, Pool step, float[] x, int i) {
        ImageShape input = step.input();
        ImageShape output = step.output();
        SlidingWindow.Axis y = step.window().y();
        SlidingWindow.Axis z = step.window().x();
        int plane = i / output.pixels() * input.pixels();
        double most = Double.NEGATIVE_INFINITY;
        double sum = 0;
        int inside = 0;
        int padded = 0;
        for (int k = 0; k < step.window().taps(); k++) {
            int iy = i / output.width() % output.height() * y.stride() + k / z.size() * y.dilation() - y.before();
            int ix = i % output.width() * z.stride() + k % z.size() * z.dilation() - z.before();
            padded += iy < input.height() + y.after() && ix < input.width() + z.after() ? 1 : 0;
            if (iy >= 0 && iy < input.height() && ix >= 0 && ix < input.width()) {
                double v = x[plane + iy * input.width() + ix];
                inside++;
                sum += v;
                most = Math.max(most, v);
            }
        }
        double expected = step.kind() == Pool.Kind.MAX ? most : sum / (step.kind() == Pool.Kind.MEAN ? inside : padded);
        if (inside > 0) {
            assertThat((double) got).as("element %d of %s", i, step).isCloseTo(expected, within(inside * 0x1p-23));
        }
    }

    @Test
    void moreExamples_ofRoundingUp() {
        ImageShape input = new ImageShape(1, 1, 5, 6);
        Pool up = new Pool(
                NodeId.of(1), NodeId.of(2), input, SlidingWindow.of(2, 2).strides(2, 2), Pool.Kind.MAX, true);
        assertThat(up.output()).isEqualTo(new ImageShape(1, 1, 3, 3));
        // the last window would begin in the padding behind the image
        SlidingWindow padded = SlidingWindow.of(3, 3).strides(3, 3).pads(1, 1, 2, 2);
        assertThat(new Pool(NodeId.of(1), NodeId.of(2), new ImageShape(1, 1, 5, 5), padded, Pool.Kind.MAX, true)
                        .output())
                .isEqualTo(new ImageShape(1, 1, 2, 2));
        assertThatThrownBy(() -> new Pool(
                        NodeId.of(1),
                        NodeId.of(2),
                        input,
                        SlidingWindow.of(2, 2).pads(0, 2, 0, 0),
                        Pool.Kind.MAX,
                        true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "pool of node 2: expected less padding than the window covers, got SlidingWindow[y=Axis[size=2,"
                                + " stride=1, before=0, after=0, dilation=1], x=Axis[size=2, stride=1, before=2, after=0,"
                                + " dilation=1]]");
    }
}
