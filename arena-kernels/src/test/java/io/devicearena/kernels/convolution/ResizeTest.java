package io.devicearena.kernels.convolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.convolution.Interpolation.Coordinates;
import io.devicearena.kernels.convolution.Interpolation.Mode;
import io.devicearena.kernels.convolution.Interpolation.Rounding;
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

class ResizeTest {
    private final StepTrial trial = new StepTrial();

    static Stream<Arguments> placesAndSeeds() {
        return Stream.of(Place.HOST, Place.SUBGROUPS, Place.CUDA)
                .flatMap(place ->
                        Stream.iterate(1, seed -> seed <= 16, seed -> seed + 1).map(seed -> Arguments.of(place, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void resize_anyShape_hasElementsAtTheirPlaces(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ImageShape input = new ImageShape(
                random.nextInt(1, 3), random.nextInt(1, 5), random.nextInt(1, 20), random.nextInt(1, 30));
        Interpolation how = new Interpolation(
                List.of(Mode.values()).get(seed % 2),
                List.of(Coordinates.values()).get(seed / 2 % 4),
                List.of(Rounding.values()).get(random.nextInt(4)));
        float[] x = StepTrial.random(input.elements(), seed);
        int height = random.nextInt(1, 50);
        int width = random.nextInt(1, 50);
        NodeId out = trial.floats(new float[input.batch() * input.channels() * height * width]);
        NodeId in = trial.floats(x);
        List<Long> from = Stream.of(input.batch(), input.channels(), input.height(), input.width())
                .map(Long::valueOf)
                .toList();
        List<Long> to = List.of(from.get(0), from.get(1), (long) height, (long) width);
        Resize step = random.nextBoolean()
                ? Resize.of(out, in, from, to, how)
                : Resize.of(out, in, from, to, how, 1, 1, 1.7f, 0.6f);

        float[] got = trial.run(place, step, out).getFirst();
        for (int i = 0; i < got.length; i++) {
            int plane = i / (height * width) * input.pixels();
            double y = place(height, step.down(), input.height(), i / width % height, how);
            double z = place(width, step.right(), input.width(), i % width, how);
            int y0 = (int) Math.floor(y);
            int z0 = (int) Math.floor(z);
            double upper = mean(x, plane + y0 * input.width(), z0, input.width(), z - z0);
            int below = Math.min(y0 + 1, input.height() - 1);
            double lower = mean(x, plane + below * input.width(), z0, input.width(), z - z0);
            double tolerance = how.mode() == Mode.NEAREST ? 0 : 6 * 0x1p-24;
            Near.assertNear(got[i], upper + (lower - upper) * (y - y0), tolerance, "element %d of %s", i, step);
        }
    }

    private static double mean(float[] x, int row, int column, int width, double weight) {
        double first = x[row + column];
        double second = x[row + Math.min(column + 1, width - 1)];
        return first + (second - first) * weight;
    }

    private static double place(int all, double scale, int length, int i, Interpolation how) {
        double at = switch (how.coordinates()) {
            case ASYMMETRIC -> i / scale;
            case ALIGN_CORNERS -> all == 1 ? 0 : i * (length - 1.0) / (all - 1);
            case HALF_PIXEL -> (i + 0.5) / scale - 0.5;
            case PYTORCH_HALF_PIXEL -> all == 1 ? 0 : (i + 0.5) / scale - 0.5;
        };
        if (how.mode() == Mode.NEAREST) {
            at = switch (how.rounding()) {
                case FLOOR -> Math.floor(at);
                case CEIL -> Math.ceil(at);
                case ROUND_PREFER_FLOOR -> Math.ceil(at - 0.5);
                case ROUND_PREFER_CEIL -> Math.floor(at + 0.5);
            };
        }
        return Math.max(0, Math.min(length - 1, at));
    }

    @Test
    void interpolation_namesOfOnnx_areKnown() {
        assertThat(Interpolation.of("linear", "align_corners", "round_prefer_ceil"))
                .contains(new Interpolation(Mode.LINEAR, Coordinates.ALIGN_CORNERS, Rounding.ROUND_PREFER_CEIL));
        assertThat(Interpolation.of("cubic", "align_corners", "floor")).isEmpty();
        assertThat(Interpolation.of("nearest", "tf_crop_and_resize", "floor")).isEmpty();
    }

    @Test
    void whatDoesNotFit_isRefused() {
        NodeId in = NodeId.of(1);
        List<Long> input = List.of(1L, 1L, 2L, 2L);
        Interpolation how = new Interpolation(Mode.NEAREST, Coordinates.ASYMMETRIC, Rounding.FLOOR);
        assertThatThrownBy(() -> Resize.of(in, in, input, List.of(1L, 1L, 4L, 4L), how))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("resize: expected another value as output than the input node 1");
        assertThatThrownBy(() -> Resize.of(NodeId.of(2), in, input, List.of(1L, 3L, 4L, 4L), how))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("resize of node 1: expected as many images and channels, got [1, 1, 2, 2] to [1, 3, 4, 4]");
        for (float scale : new float[] {0, Float.NaN, Float.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> Resize.of(NodeId.of(2), in, input, input, how, 1, scale))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("resize of node 1: expected finite scales above 0, got 1.0 and " + (double) scale);
        }
    }
}
