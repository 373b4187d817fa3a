package io.devicearena.kernels.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Nested loops over the elements of a shape, with the strides of some values. Dimensions of one element are left out,
 * and neighbours that all values walk through evenly are one.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class Loops {
    private final long[] extents;
    private final long[][] strides;
    private final long count;

    /**
     * Makes the loops.
     *
     * @param shape the extent of each dimension, 1 or more
     * @param strides of each value, in elements: one for each dimension
     */
    public Loops(List<Long> shape, List<List<Long>> strides) {
        List<long[]> dimensions = new ArrayList<>();
        for (int d = 0; d < shape.size(); d++) {
            if (shape.get(d) == 1) {
                continue;
            }
            long[] next = new long[strides.size() + 1];
            next[strides.size()] = shape.get(d);
            for (int v = 0; v < strides.size(); v++) {
                next[v] = strides.get(v).get(d);
            }
            if (!dimensions.isEmpty() && isOne(dimensions.getLast(), next)) {
                next[strides.size()] *= dimensions.removeLast()[strides.size()];
            }
            dimensions.add(next);
        }
        if (dimensions.isEmpty()) {
            long[] one = new long[strides.size() + 1];
            one[strides.size()] = 1;
            dimensions.add(one);
        }
        this.extents = dimensions.stream().mapToLong(d -> d[strides.size()]).toArray();
        this.count = Arrays.stream(extents).reduce(1, (a, b) -> a * b);
        this.strides = IntStream.range(0, strides.size())
                .mapToObj(v -> dimensions.stream().mapToLong(d -> d[v]).toArray())
                .toArray(long[][]::new);
    }

    private static boolean isOne(long[] outer, long[] inner) {
        long extent = inner[inner.length - 1];
        return IntStream.range(0, inner.length - 1).allMatch(v -> outer[v] == extent * inner[v]);
    }

    /**
     * Returns the strides of elements that lie one after the other.
     *
     * @param shape the extent of each dimension
     * @return a stride for each dimension
     */
    public static List<Long> dense(List<Long> shape) {
        Long[] strides = new Long[shape.size()];
        long stride = 1;
        for (int d = shape.size() - 1; d >= 0; d--) {
            strides[d] = stride;
            stride *= shape.get(d);
        }
        return List.of(strides);
    }

    /**
     * Returns the number of a dimension.
     *
     * @param axis its number, or one below 0, which counts from the end
     * @param shape the extent of each dimension
     * @return 0 or more
     * @throws IllegalArgumentException if there is no such dimension
     */
    public static int axis(long axis, List<Long> shape) {
        if (axis < -shape.size() || axis >= shape.size()) {
            throw new IllegalArgumentException("axis: expected a dimension of " + shape + ", got " + axis);
        }
        return (int) (axis < 0 ? axis + shape.size() : axis);
    }

    /**
     * Multiplies extents.
     *
     * @param extents any
     * @return their product, 1 of none
     */
    public static long product(List<Long> extents) {
        return extents.stream().reduce(1L, Math::multiplyExact);
    }

    /** {@return the number of loops, 1 or more} */
    public int rank() {
        return extents.length;
    }

    /**
     * Returns the number of elements of a loop.
     *
     * @param dimension 0 for the outermost loop, {@code rank() - 1} for the innermost one
     * @return 1 or more
     */
    public long extent(int dimension) {
        return extents[dimension];
    }

    /**
     * Returns how far the elements of a loop are apart.
     *
     * @param value the number of the value
     * @param dimension the number of the loop
     * @return the stride in elements, possibly 0 or less
     */
    public long stride(int value, int dimension) {
        return strides[value][dimension];
    }

    /** {@return the number of elements of the innermost loop} */
    public long run() {
        return extents[extents.length - 1];
    }

    /**
     * Returns how far the elements of the innermost loop are apart.
     *
     * @param value the number of the value
     * @return the stride in elements
     */
    public long step(int value) {
        return strides[value][extents.length - 1];
    }

    /** {@return the number of all elements} */
    public long count() {
        return count;
    }

    /**
     * Returns whether the elements of a value lie one after the other, in the order of the loops.
     *
     * @param value the number of the value
     * @return whether the offset of each element is its number
     */
    public boolean isDense(int value) {
        long stride = 1;
        for (int d = extents.length - 1; d >= 0; d--) {
            if (extents[d] > 1 && strides[value][d] != stride) {
                return false;
            }
            stride *= extents[d];
        }
        return true;
    }

    /**
     * Returns lines of WGSL that compute the place of an element in each loop.
     *
     * @param index a variable of the kernel, the number of the element
     * @return the lines: variables {@code index_0} and so on
     */
    public String places(String index) {
        StringBuilder text = new StringBuilder();
        String rest = index;
        for (int d = extents.length - 1; d > 0; d--) {
            text.append(String.format(Locale.ROOT, "    let %s_%d = %s %% %du;\n", index, d, rest, extents[d]));
            text.append(String.format(Locale.ROOT, "    let %s_over_%d = %s / %du;\n", index, d, rest, extents[d]));
            rest = index + "_over_" + d;
        }
        return text.append(String.format(Locale.ROOT, "    let %s_0 = %s;\n", index, rest))
                .toString();
    }

    /**
     * Returns an expression of WGSL for where an element of a value is, after the lines of {@link #places}. A stride
     * below 0 is a large number without a sign: the sum is right, as such numbers wrap around.
     *
     * @param value the number of the value
     * @param index the variable of the kernel
     * @return an expression of type u32
     */
    public String place(int value, String index) {
        if (isDense(value)) {
            return index;
        }
        String sum = IntStream.range(0, extents.length)
                .filter(d -> strides[value][d] != 0)
                .mapToObj(d -> index + "_" + d
                        + (strides[value][d] == 1
                                ? ""
                                : " * " + Integer.toUnsignedString((int) strides[value][d]) + "u"))
                .collect(Collectors.joining(" + "));
        return sum.isEmpty() ? "0u" : sum;
    }

    /**
     * Begins to walk from run to run of the innermost loop.
     *
     * @return a walk that is nowhere yet
     */
    public Walk walk() {
        return new Walk();
    }

    /**
     * Where the values are, run by run: no division for each run.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public final class Walk {
        private final long[] places = new long[extents.length - 1];
        private final long[] offsets = new long[strides.length];

        private Walk() {}

        /**
         * Goes to a run.
         *
         * @param number of the run: that of its first element, divided by {@link Loops#run}
         */
        public void go(long number) {
            Arrays.fill(offsets, 0);
            long rest = number;
            for (int d = places.length - 1; d >= 0; d--) {
                places[d] = rest % extents[d];
                rest /= extents[d];
                for (int v = 0; v < offsets.length; v++) {
                    offsets[v] += places[d] * strides[v][d];
                }
            }
        }

        /** Goes to the next run. */
        public void next() {
            for (int d = places.length - 1; d >= 0; d--) {
                boolean isCarried = ++places[d] == extents[d];
                for (int v = 0; v < offsets.length; v++) {
                    offsets[v] += isCarried ? (1 - extents[d]) * strides[v][d] : strides[v][d];
                }
                if (!isCarried) {
                    return;
                }
                places[d] = 0;
            }
        }

        /**
         * Returns where the run begins in a value.
         *
         * @param value the number of the value
         * @return elements from its first one
         */
        public long offset(int value) {
            return offsets[value];
        }
    }
}
