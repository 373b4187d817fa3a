package io.devicearena.kernels.convolution;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Near;
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
        return Stream.of(Place.values())
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
        SlidingWindow window = new SlidingWindow(axis(random, input.height()), axis(random, input.width()));
        boolean isRoundedUp = random.nextBoolean();
        ImageShape places = new ImageShape(
                input.batch(),
                input.channels(),
                places(window.y(), input.height(), isRoundedUp),
                places(window.x(), input.width(), isRoundedUp));
        Pool step = new Pool(out, in, list(input), list(places), window, kind);

        float[] got = trial.run(place, step, out).getFirst();
        ImageShape output = ImageShape.of(step.output());
        for (int i = 0; i < output.elements(); i++) {
            check(got[i], step, x, i);
        }
    }

    private static List<Long> list(ImageShape shape) {
        return List.of((long) shape.batch(), (long) shape.channels(), (long) shape.height(), (long) shape.width());
    }

    /** The places of a window; of those that are rounded up the last one begins inside the image or in front of it. */
    private static int places(SlidingWindow.Axis axis, int length, boolean isRoundedUp) {
        int room = length + axis.before() + axis.after() - axis.span();
        int places = Math.ceilDiv(room + 1, axis.stride());
        boolean isOneMore = isRoundedUp && room % axis.stride() != 0 && places * axis.stride() < length + axis.before();
        return isOneMore ? places + 1 : places;
    }

    private static void check(float got, Pool step, float[] x, int i) {
        ImageShape input = ImageShape.of(step.input());
        ImageShape output = ImageShape.of(step.output());
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
            Near.assertNear(got, expected, inside * 0x1p-23, "element %d of %s", i, step);
        }
    }

    @Test
    void whatDoesNotFit_isRefused() {
        NodeId out = NodeId.of(1);
        NodeId in = NodeId.of(2);
        List<Long> input = List.of(1L, 1L, 5L, 6L);
        SlidingWindow two = SlidingWindow.of(2, 2).strides(2, 2);
        new Pool(out, in, input, List.of(1L, 1L, 3L, 3L), two, Pool.Kind.MAX);
        new Pool(out, in, input, List.of(1L, 1L, 2L, 3L), two, Pool.Kind.MAX);
        assertThatThrownBy(() -> new Pool(out, in, input, List.of(1L, 1L, 3L, 4L), two, Pool.Kind.MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "pool of node 2: expected as many places of the window as it has on ImageShape[batch"
                                + "=1, channels=1, height=5, width=6], got ImageShape[batch=1, channels=1, height=3, width=4] for");
        List<Long> wider = List.of(1L, 1L, 4L, 7L);
        assertThatThrownBy(() ->
                        new Pool(out, in, input, wider, SlidingWindow.of(2, 2).pads(0, 2, 0, 0), Pool.Kind.MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "pool of node 2: expected less padding than the window covers, got SlidingWindow[y=Axis[size=2,"
                                + " stride=1, before=0, after=0, dilation=1], x=Axis[size=2, stride=1, before=2, after=0,"
                                + " dilation=1]]");
    }
}
