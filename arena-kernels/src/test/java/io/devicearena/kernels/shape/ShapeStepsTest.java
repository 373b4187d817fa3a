package io.devicearena.kernels.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps that move words: each result is compared with one that is written down index by index. */
class ShapeStepsTest {
    private final StepTrial trial = new StepTrial();

    static Stream<Arguments> placesAndSeeds() {
        return Stream.of(Place.HOST, Place.SUBGROUPS)
                .flatMap(place -> IntStream.range(0, 8).mapToObj(seed -> Arguments.of(place, seed)));
    }

    private static int product(List<Long> shape) {
        return (int) shape.stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
    }

    private static int[] numbers(int count) {
        return IntStream.range(0, count).map(i -> i * 7 + 1).toArray();
    }

    /** The index along each dimension. */
    private static long[] places(int index, List<Long> shape) {
        long[] places = new long[shape.size()];
        long rest = index;
        for (int d = shape.size() - 1; d >= 0; d--) {
            places[d] = rest % shape.get(d);
            rest /= shape.get(d);
        }
        return places;
    }

    private static int index(long[] places, List<Long> shape) {
        long index = 0;
        for (int d = 0; d < places.length; d++) {
            index = index * shape.get(d) + places[d];
        }
        return (int) index;
    }

    private static List<Long> shape(SplittableRandom random, int rank, int most) {
        return random.longs(rank, 1, most).boxed().collect(Collectors.toList());
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void stridedCopy_transposedAndSliced_hasTheElements(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int rank = random.nextInt(1, 5);
        List<Long> shape = shape(random, rank, seed % 3 == 0 ? 40 : 7);
        List<Integer> order = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
        Collections.shuffle(order, new java.util.Random(seed));
        int[] content = numbers(product(shape));
        NodeId in = trial.ints(content);
        Strided from = Strided.dense(in, shape)
                .permuted(order.stream().mapToInt(i -> i).toArray());
        List<Long> sizes = new ArrayList<>();
        long[] begins = new long[rank];
        long[] steps = new long[rank];
        for (int d = 0; d < rank; d++) {
            long extent = shape.get(order.get(d));
            steps[d] = random.nextInt(4) == 0 ? -1 : random.nextInt(1, 3);
            begins[d] = steps[d] < 0 ? extent - 1 : random.nextLong(extent);
            sizes.add(steps[d] < 0 ? extent : (extent - begins[d] + steps[d] - 1) / steps[d]);
            from = from.sliced(d, begins[d], steps[d]);
        }
        NodeId out = trial.ints(new int[product(sizes)]);
        trial.run(place, List.of(StridedCopy.to(out, from, sizes)));

        int[] expected = new int[product(sizes)];
        for (int i = 0; i < expected.length; i++) {
            long[] at = places(i, sizes);
            long[] of = new long[rank];
            for (int d = 0; d < rank; d++) {
                of[order.get(d)] = begins[d] + at[d] * steps[d];
            }
            expected[i] = content[index(of, shape)];
        }
        assertThat(trial.intsOf(out)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void concat_partsOfAnAxis_areRowByRow(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        trial.limit("maxStorageBindings", 4);
        int rows = random.nextInt(1, 5);
        List<Long> widths = random.longs(random.nextInt(1, 7), 1, 300).boxed().toList();
        List<NodeId> parts = widths.stream()
                .map(width -> trial.ints(random.ints(rows * width).toArray()))
                .collect(Collectors.toList());
        int row = product(List.of(widths.stream().mapToLong(w -> w).sum()));
        NodeId out = trial.ints(new int[rows * row]);
        trial.run(place, List.of(new Concat(out, parts, widths, rows)));

        int[] got = trial.intsOf(out);
        int begin = 0;
        for (int p = 0; p < parts.size(); p++) {
            int width = (int) (long) widths.get(p);
            for (int r = 0; r < rows; r++) {
                assertThat(Arrays.copyOfRange(got, r * row + begin, r * row + begin + width))
                        .isEqualTo(Arrays.copyOfRange(trial.intsOf(parts.get(p)), r * width, (r + 1) * width));
            }
            begin += width;
        }
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void concat_partsThatAreInPlace_areLeft(Place place) {
        NodeId out = trial.ints(1, 2, 3, 4, 5, 6);
        NodeId first = trial.view(out, 0, 8);
        NodeId last = trial.view(out, 12, 12);
        NodeId middle = trial.ints(9);
        trial.run(
                place,
                List.of(
                        new Concat(out, List.of(first, middle, last), List.of(2L, 1L, 3L), 1),
                        new Concat(first, List.of(first), List.of(1L), 2)));
        assertThat(trial.intsOf(out)).containsExactly(1, 2, 9, 4, 5, 6);
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void gather_indices_takeTheirRows(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> shape = shape(random, random.nextInt(1, 5), 9);
        int axis = random.nextInt(shape.size());
        int rows = (int) (long) shape.get(axis);
        int[] indices = random.ints(random.nextInt(1, 9), -rows, rows).toArray();
        int[] content = numbers(product(shape));
        NodeId in = trial.ints(content);
        List<Long> gathered = new ArrayList<>(shape);
        gathered.set(axis, (long) indices.length);
        NodeId out = trial.ints(new int[product(gathered)]);
        trial.run(place, List.of(new Gather(out, in, trial.ints(indices), shape, axis, indices.length)));

        int[] expected = new int[product(gathered)];
        for (int i = 0; i < expected.length; i++) {
            long[] at = places(i, gathered);
            at[axis] = Math.floorMod(indices[(int) at[axis]], rows);
            expected[i] = content[index(at, shape)];
        }
        assertThat(trial.intsOf(out)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void gather_indicesBeyondTheAxis_takeTheNearest(Place place) {
        NodeId out = trial.ints(0, 0);
        trial.run(place, List.of(new Gather(out, trial.ints(5, 6, 7), trial.ints(3, -4), List.of(3L), 0, 2)));
        assertThat(trial.intsOf(out)).containsExactly(7, 5);
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void pad_anyMode_isAroundTheValue(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Pad.Mode mode =
                List.of(Pad.Mode.NUMBER, Pad.Mode.EDGE, Pad.Mode.REFLECTION).get(seed % 3);
        List<Long> shape = shape(random, random.nextInt(1, 5), 6);
        List<Long> before = shape.stream()
                .map(extent -> random.nextLong(mode == Pad.Mode.REFLECTION ? extent : 4))
                .toList();
        List<Long> after = shape.stream()
                .map(extent -> random.nextLong(mode == Pad.Mode.REFLECTION ? extent : 4))
                .toList();
        List<Long> padded = IntStream.range(0, shape.size())
                .mapToObj(d -> before.get(d) + shape.get(d) + after.get(d))
                .toList();
        int[] content = numbers(product(shape));
        NodeId in = trial.ints(content);
        NodeId out = trial.ints(new int[product(padded)]);
        trial.run(place, List.of(new Pad(out, in, shape, before, after, mode, -5)));

        int[] expected = new int[product(padded)];
        for (int i = 0; i < expected.length; i++) {
            long[] at = places(i, padded);
            boolean isInside = true;
            for (int d = 0; d < at.length; d++) {
                long last = shape.get(d) - 1;
                at[d] -= before.get(d);
                isInside &= at[d] >= 0 && at[d] <= last;
                if (mode == Pad.Mode.EDGE) {
                    at[d] = Math.clamp(at[d], 0, last);
                } else if (at[d] < 0 || at[d] > last) {
                    at[d] = at[d] < 0 ? -at[d] : last - (at[d] - last);
                }
            }
            expected[i] = isInside || mode != Pad.Mode.NUMBER ? content[index(at, shape)] : -5;
        }
        assertThat(trial.intsOf(out)).isEqualTo(expected);
    }

    @Test
    void steps_wrongShapes_areRefused() {
        NodeId a = NodeId.of(1);
        NodeId b = NodeId.of(2);
        List<Long> three = List.of(3L);
        assertThatThrownBy(() -> Strided.broadcast(a, List.of(2L), three))
                .hasMessage("shape of node 1: expected one that is broadcast to [3], got [2]");
        assertThatThrownBy(() -> new Strided(a, -1, three))
                .hasMessage(
                        "strides of node 1: expected a first element of 0 or more and at most 8 dimensions, got -1 and"
                                + " 1");
        assertThatThrownBy(() -> StridedCopy.to(a, new Strided(b, 1, List.of(-1L)), three))
                .hasMessage("copy of node 2 to node 1: expected strides that stay in node 2, got element -1");
        assertThatThrownBy(() -> StridedCopy.to(a, new Strided(b, 0, List.of()), three))
                .hasMessage(
                        "copy of node 2 to node 1: expected dimensions of 1 or more, each with a stride of node 2, got"
                                + " [3] and strides []");
        assertThatThrownBy(() -> StridedCopy.to(a, Strided.dense(a, three), three))
                .hasMessage("copy of node 1 to node 1: expected two values, got one");
        assertThatThrownBy(() -> new Concat(a, List.of(b), List.of(), 1))
                .hasMessage("concat to node 1: expected parts, a width of 1 or more for each, and 1 or more rows, got 1"
                        + " parts, widths [] and 1 rows");
        assertThatThrownBy(() -> new Gather(a, b, b, three, 1, 1))
                .hasMessage(
                        "gather of node 2: expected dimensions of 1 or more, an axis of them, and 1 or more indices,"
                                + " got [3], axis 1 and 1 indices");
        assertThatThrownBy(() -> new Gather(a, a, b, three, 0, 1))
                .hasMessage("gather of node 1: expected an output of its own, got node 1");
        assertThatThrownBy(() -> new Pad(a, b, three, three, List.of(), Pad.Mode.NUMBER, 0))
                .hasMessage("pad of node 2: expected dimensions of 1 or more, each with 0 or more elements in front and"
                        + " behind, got [3], [3] and []");
        assertThatThrownBy(() -> new Pad(a, b, three, List.of(0L), three, Pad.Mode.REFLECTION, 0))
                .hasMessage("pad of node 2: expected fewer than 3 elements to reflect along dimension 0, got 0 and 3");
    }
}
