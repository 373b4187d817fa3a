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
        return Stream.of(Place.HOST, Place.SUBGROUPS, Place.CUDA)
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
                .permuted(order.stream().mapToLong(i -> i).toArray());
        List<Long> sizes = new ArrayList<>();
        long[] begins = new long[rank];
        long[] steps = new long[rank];
        for (int d = 0; d < rank; d++) {
            long extent = shape.get(order.get(d));
            steps[d] = random.nextInt(4) == 0 ? -1 : random.nextInt(1, 3);
            begins[d] = steps[d] < 0 ? extent - 1 : random.nextLong(extent);
            sizes.add(steps[d] < 0 ? extent : (extent - begins[d] + steps[d] - 1) / steps[d]);
            long end = steps[d] < 0 ? -1 - extent : random.nextBoolean() ? extent : Long.MAX_VALUE;
            from = from.sliced(random.nextBoolean() ? d : d - rank, begins[d], end, steps[d]);
        }
        NodeId out = trial.ints(new int[product(sizes)]);
        trial.run(place, List.of(StridedCopy.to(out, from)));

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
        List<List<Long>> shapes =
                widths.stream().map(width -> List.of((long) rows, width)).toList();
        trial.run(place, List.of(new Concat(out, parts, shapes, random.nextBoolean() ? 1 : -1)));

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
    @EnumSource(Place.class)
    void concat_partsThatAreInPlace_areLeft(Place place) {
        NodeId out = trial.ints(1, 2, 3, 4, 5, 6);
        NodeId first = trial.view(out, 0, 8);
        NodeId last = trial.view(out, 12, 12);
        NodeId middle = trial.ints(9);
        trial.run(
                place,
                List.of(
                        new Concat(
                                out, List.of(first, middle, last), List.of(List.of(2L), List.of(1L), List.of(3L)), 0),
                        new Concat(first, List.of(first), List.of(List.of(2L, 1L)), 1)));
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
    @EnumSource(Place.class)
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
                List.of(Pad.Mode.CONSTANT, Pad.Mode.EDGE, Pad.Mode.REFLECT).get(seed % 3);
        List<Long> shape = shape(random, random.nextInt(1, 5), 6);
        List<Long> before = shape.stream()
                .map(extent -> random.nextLong(mode == Pad.Mode.REFLECT ? extent : 4))
                .toList();
        List<Long> after = shape.stream()
                .map(extent -> random.nextLong(mode == Pad.Mode.REFLECT ? extent : 4))
                .toList();
        List<Long> pads = Stream.concat(before.stream(), after.stream()).toList();
        List<Long> padded = IntStream.range(0, shape.size())
                .mapToObj(d -> before.get(d) + shape.get(d) + after.get(d))
                .toList();
        int[] content = numbers(product(shape));
        NodeId in = trial.ints(content);
        NodeId out = trial.ints(new int[product(padded)]);
        trial.run(place, List.of(new Pad(out, in, shape, pads, mode, -5)));

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
            expected[i] = isInside || mode != Pad.Mode.CONSTANT ? content[index(at, shape)] : -5;
        }
        assertThat(trial.intsOf(out)).isEqualTo(expected);
    }

    @Test
    void sliced_beyondTheEdges_isTheEdge() {
        Strided all = Strided.dense(NodeId.of(1), List.of(10L));
        assertThat(all.sliced(0, -3, Long.MAX_VALUE, 1)).isEqualTo(strided(7, 3, 1));
        assertThat(all.sliced(-1, -20, -8, 1)).isEqualTo(strided(0, 2, 1));
        assertThat(all.sliced(0, 20, Long.MIN_VALUE, -4)).isEqualTo(strided(9, 3, -4));
        assertThat(all.sliced(0, -2, 1, -3)).isEqualTo(strided(8, 3, -3));
        assertThatThrownBy(() -> all.sliced(0, 5, 5, 1))
                .hasMessage(
                        "strides of node 1: expected at most 8 dimensions of 1 or more, each with a stride, got [0] and"
                                + " [1]");
        assertThatThrownBy(() -> all.sliced(1, 0, 1, 1)).hasMessage("axis: expected a dimension of [10], got 1");
    }

    private static Strided strided(long first, long extent, long stride) {
        return new Strided(NodeId.of(1), first, List.of(extent), List.of(stride));
    }

    @Test
    void tiled_toMultiples_hasADimensionOfCopiesForEach() {
        Strided value = Strided.dense(NodeId.of(1), List.of(2L, 3L));
        assertThat(value.tiled(List.of(4L, 9L)))
                .isEqualTo(new Strided(NodeId.of(1), 0, List.of(2L, 2L, 3L, 3L), List.of(0L, 3L, 0L, 1L)));
        assertThatThrownBy(() -> value.tiled(List.of(4L, 8L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shape of node 1: expected one of which [4, 8] is a multiple, got [2, 3]");
        assertThatThrownBy(() -> value.tiled(List.of(6L))).isInstanceOf(IllegalArgumentException.class);
        Strided number = Strided.dense(NodeId.of(1), List.of());
        assertThatThrownBy(() -> number.tiled(List.of(6L))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void permuted_withoutOrder_isBackwards() {
        Strided value = Strided.dense(NodeId.of(1), List.of(2L, 3L, 4L));
        assertThat(value.permuted()).isEqualTo(value.permuted(2, 1, 0));
        assertThat(value.permuted().reach()).isEqualTo(24);
    }

    @Test
    void steps_wrongShapes_areRefused() {
        NodeId a = NodeId.of(1);
        NodeId b = NodeId.of(2);
        List<Long> three = List.of(3L);
        assertThatThrownBy(() -> Strided.dense(a, List.of(2L)).broadcast(three))
                .hasMessage("shape of node 1: expected one that is broadcast to [3], got [2]");
        assertThatThrownBy(() -> Strided.dense(a, List.of(2L, 1L)).broadcast(three))
                .hasMessage("shape of node 1: expected one that is broadcast to [3], got [2, 1]");
        assertThatThrownBy(() -> new Strided(b, 1, three, List.of(-1L)))
                .hasMessage(
                        "strides of node 2: expected strides that stay in the value, got [-1] of [3] from element 1");
        assertThatThrownBy(() -> new Strided(b, 0, three, List.of()))
                .hasMessage(
                        "strides of node 2: expected at most 8 dimensions of 1 or more, each with a stride, got [3] and"
                                + " []");
        assertThatThrownBy(() -> StridedCopy.to(a, Strided.dense(a, three)))
                .hasMessage("strided-copy: expected another value as output than the input node 1");
        assertThatThrownBy(() -> new Concat(a, List.of(b), List.of(), 1))
                .hasMessage("concat to node 1: expected parts, and a shape for each, got 1 parts and 0 shapes");
        assertThatThrownBy(() -> new Concat(a, List.of(b, b), List.of(List.of(2L, 3L), List.of(3L, 3L)), 1))
                .hasMessage(
                        "concat to node 1: expected dimensions of 1 or more that differ along axis 1 only, got [2, 3]"
                                + " and [3, 3]");
        assertThatThrownBy(() -> new Gather(a, b, b, three, 1, 1))
                .hasMessage("axis: expected a dimension of [3], got 1");
        assertThatThrownBy(() -> new Gather(a, b, b, three, 0, 0))
                .hasMessage(
                        "gather of node 2: expected dimensions of 1 or more, and 1 or more indices, got [3] and 0 indices");
        assertThatThrownBy(() -> new Gather(a, a, b, three, 0, 1))
                .hasMessage("gather: expected another value as output than the input node 1");
        assertThatThrownBy(() -> new Pad(a, b, three, three, Pad.Mode.CONSTANT, 0))
                .hasMessage("pad of node 2: expected dimensions of 1 or more, each with 0 or more elements in front and"
                        + " behind, got [3] and [3]");
        assertThatThrownBy(() -> new Pad(a, b, three, List.of(0L, 3L), Pad.Mode.REFLECT, 0))
                .hasMessage("pad of node 2: expected fewer than 3 elements to reflect along dimension 0, got 3");
    }
}
