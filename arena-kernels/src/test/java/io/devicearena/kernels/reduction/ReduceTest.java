package io.devicearena.kernels.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReduceTest {
    private static final List<List<Long>> SHAPES = List.of(
            List.of(5L),
            List.of(3L, 700L),
            List.of(700L, 3L),
            List.of(2L, 3L, 4L, 5L),
            List.of(2L, 300L, 70L),
            List.of(1L, 9L));

    static Stream<Arguments> placesAndSeeds() {
        return Stream.of(Place.HOST, Place.SUBGROUPS, Place.CUDA)
                .flatMap(place -> IntStream.range(0, 12).mapToObj(seed -> Arguments.of(place, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void reduce_anyAxes_isTheResultInF64(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> shape = SHAPES.get(seed % SHAPES.size());
        List<Long> axes = LongStream.range(0, shape.size())
                .filter(_ -> random.nextBoolean())
                .boxed()
                .toList();
        if (axes.isEmpty()) {
            axes = List.of(random.nextLong(shape.size()));
        }
        List<Long> fromEnd = axes.stream().map(axis -> axis - shape.size()).toList();
        int n = (int) shape.stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
        float[] x = StepTrial.random(n, seed);
        List<List<Double>> groups = groups(x, shape, axes);
        StepTrial trial = new StepTrial();
        NodeId in = trial.floats(x);
        Map<Reduction, NodeId> outs = new EnumMap<>(Reduction.class);
        List<KernelStep> steps = new ArrayList<>();
        for (Reduction reduction : Reduction.values()) {
            NodeId out = trial.floats(new float[groups.size()]);
            outs.put(reduction, out);
            steps.add(new Reduce(out, in, reduction, shape, random.nextBoolean() ? axes : fromEnd));
        }
        trial.run(place, steps);

        for (Reduction reduction : Reduction.values()) {
            NodeId out = Objects.requireNonNull(outs.get(reduction));
            for (int o = 0; o < groups.size(); o++) {
                double got = reduction == Reduction.ARG_MAX ? trial.intsOf(out)[o] : trial.floatsOf(out)[o];
                Near.assertNear(
                        got,
                        expected(reduction, groups.get(o)),
                        tolerance(reduction, groups.get(o)),
                        "%s of %s, axes %s, output %d",
                        reduction,
                        shape,
                        axes,
                        o);
            }
        }
    }

    /** The elements of each output, in the order of the shape. */
    private static List<List<Double>> groups(float[] x, List<Long> shape, List<Long> axes) {
        List<List<Double>> groups = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            long output = 0;
            long rest = x.length;
            for (int d = 0; d < shape.size(); d++) {
                rest /= shape.get(d);
                output = axes.contains((long) d) ? output : output * shape.get(d) + i / rest % shape.get(d);
            }
            while (groups.size() <= output) {
                groups.add(new ArrayList<>());
            }
            groups.get((int) output).add((double) x[i]);
        }
        return groups;
    }

    private static double expected(Reduction reduction, List<Double> x) {
        double squares = x.stream().mapToDouble(v -> v * v).sum();
        double sum = x.stream().mapToDouble(v -> v).sum();
        double largest = x.stream().mapToDouble(v -> v).max().orElseThrow();
        return switch (reduction) {
            case SUM -> sum;
            case MEAN -> sum / x.size();
            case SUM_OF_SQUARES -> squares;
            case L2 -> Math.sqrt(squares);
            case PRODUCT -> x.stream().reduce(1.0, (a, b) -> a * b);
            case MAXIMUM -> largest;
            case MINIMUM -> x.stream().mapToDouble(v -> v).min().orElseThrow();
            case ARG_MAX -> x.indexOf(largest);
        };
    }

    /** n + 1 roundings of at most the sum of absolute values each; a root and a quotient of a device add 2.5 ULP. */
    private static double tolerance(Reduction reduction, List<Double> x) {
        double sum = x.stream().mapToDouble(Math::abs).sum();
        double unit = (x.size() + 1) * 0x1p-24;
        return switch (reduction) {
            case SUM, SUM_OF_SQUARES -> unit * sum;
            case MEAN -> (unit + 5 * 0x1p-24) * sum / x.size();
            case L2 -> (unit + 5 * 0x1p-24) * Math.sqrt(x.size());
            case PRODUCT -> unit + Float.MIN_NORMAL;
            case MAXIMUM, MINIMUM, ARG_MAX -> 0;
        };
    }

    @Test
    void argMax_equalElements_isTheFirst() {
        for (Place place : Place.values()) {
            StepTrial trial = new StepTrial();
            NodeId in = trial.floats(0, 2, 2, 1, -1, 2, 3, 3);
            NodeId rows = trial.ints(0, 0);
            NodeId columns = trial.ints(0, 0, 0, 0);
            List<Long> shape = List.of(2L, 4L);
            trial.run(
                    place,
                    List.of(
                            new Reduce(rows, in, Reduction.ARG_MAX, shape, List.of(1L)),
                            new Reduce(columns, in, Reduction.ARG_MAX, shape, List.of(0L))));
            assertThat(trial.intsOf(rows)).containsExactly(1, 2);
            assertThat(trial.intsOf(columns)).containsExactly(0, 0, 1, 1);
        }
    }

    @Test
    void reduce_wrongAxes_areRefused() {
        NodeId in = NodeId.of(1);
        assertThatThrownBy(() -> new Reduce(NodeId.of(2), in, Reduction.SUM, List.of(3L), List.of(1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("axis: expected a dimension of [3], got 1");
        assertThatThrownBy(() -> new Reduce(NodeId.of(2), in, Reduction.SUM, List.of(3L, 0L), List.of(0L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("reduce of node 1: expected dimensions of 1 or more, got [3, 0]");
        assertThat(new Reduce(NodeId.of(2), in, Reduction.SUM, List.of(3L, 4L), List.of()).axes())
                .containsExactly(0L, 1L);
        assertThatThrownBy(() -> new Reduce(in, in, Reduction.SUM, List.of(3L), List.of(0L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("reduce: expected another value as output than the input node 1");
    }
}
