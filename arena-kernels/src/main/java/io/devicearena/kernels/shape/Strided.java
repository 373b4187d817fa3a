package io.devicearena.kernels.shape;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Loops;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How a step walks through a value: which element is first, and how far the next one is along each dimension.
 *
 * <p>Transposed, sliced and broadcast values are values with other strides, so a step that takes this record does those
 * operations by itself: {@code Strided.dense(in, List.of(2L, 3L)).permuted(1, 0)} is the transposed matrix.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id the value
 * @param first the number of its first element, 0 or more
 * @param shape the elements that are visited along each dimension, outermost first: 1 or more; at most 8
 * @param strides elements from one to the next, for each dimension: 0 where it is broadcast, less than 0 where it runs
 *     backwards
 */
public record Strided(NodeId id, long first, List<Long> shape, List<Long> strides) {
    private static final int MOST_DIMENSIONS = 8;

    /** Checks that there is a stride for each dimension, and that no element is before the first one of the value. */
    public Strided {
        requireNonNull(id, "id");
        shape = List.copyOf(shape);
        strides = List.copyOf(strides);
        if (strides.size() != shape.size()
                || shape.size() > MOST_DIMENSIONS
                || shape.stream().anyMatch(extent -> extent < 1)) {
            throw new IllegalArgumentException("strides of " + id + ": expected at most " + MOST_DIMENSIONS
                    + " dimensions of 1 or more, each with a stride, got " + shape + " and " + strides);
        }
        if (last(first, shape, strides, -1) < 0) {
            throw new IllegalArgumentException("strides of " + id + ": expected strides that stay in the value, got "
                    + strides + " of " + shape + " from element " + first);
        }
    }

    /** The last element in the direction of a sign. */
    private static long last(long first, List<Long> shape, List<Long> strides, int sign) {
        return IntStream.range(0, shape.size())
                .filter(d -> strides.get(d) * sign > 0)
                .mapToLong(d -> strides.get(d) * (shape.get(d) - 1))
                .reduce(first, Long::sum);
    }

    /**
     * Returns a value whose elements lie one after the other.
     *
     * @param id the value
     * @param shape the extent of each dimension
     * @return the value with its own strides
     */
    public static Strided dense(NodeId id, List<Long> shape) {
        return new Strided(id, 0, shape, Loops.dense(shape));
    }

    /**
     * Returns the value, repeated along dimensions which it does not have, or in which it has one element.
     *
     * @param to a shape of as many dimensions or more, of which these are the innermost ones
     * @return the value with a stride for each dimension of {@code to}
     * @throws IllegalArgumentException if the shapes do not agree
     */
    public Strided broadcast(List<Long> to) {
        int missing = to.size() - shape.size();
        List<Long> repeated = new ArrayList<>(Collections.nCopies(Math.max(0, missing), 0L));
        for (int d = 0; d < shape.size(); d++) {
            long extent = shape.get(d);
            if (missing < 0 || (extent != 1 && extent != to.get(missing + d))) {
                throw new IllegalArgumentException(
                        "shape of " + id + ": expected one that is broadcast to " + to + ", got " + shape);
            }
            repeated.add(extent == 1 ? 0 : strides.get(d));
        }
        return new Strided(id, first, to, repeated);
    }

    /**
     * Returns the value as a whole, several times along dimensions. Each dimension becomes two: that of the copies, and
     * its own.
     *
     * @param to a shape of as many dimensions, each a multiple of this one's
     * @return the value with two dimensions for each
     * @throws IllegalArgumentException if it has more than 4 dimensions, or {@code to} does not fit it
     */
    public Strided tiled(List<Long> to) {
        boolean fits = to.size() == shape.size()
                && IntStream.range(0, shape.size()).allMatch(d -> to.get(d) % shape.get(d) == 0);
        if (!fits) {
            throw new IllegalArgumentException(
                    "shape of " + id + ": expected one of which " + to + " is a multiple, got " + shape);
        }
        List<Long> extents = new ArrayList<>();
        List<Long> repeated = new ArrayList<>();
        for (int d = 0; d < shape.size(); d++) {
            Collections.addAll(extents, to.get(d) / shape.get(d), shape.get(d));
            Collections.addAll(repeated, 0L, strides.get(d));
        }
        return new Strided(id, first, extents, repeated);
    }

    /**
     * Returns the value with its dimensions in another order.
     *
     * @param order the number of the old dimension, for each new one; none: backwards
     * @return the transposed value
     * @throws IndexOutOfBoundsException if there is no such dimension
     */
    public Strided permuted(long... order) {
        List<Long> extents = new ArrayList<>();
        List<Long> permuted = new ArrayList<>();
        for (int d = 0; d < shape.size(); d++) {
            int old = order.length == 0 ? shape.size() - 1 - d : (int) order[d];
            extents.add(shape.get(old));
            permuted.add(strides.get(old));
        }
        return new Strided(id, first, extents, permuted);
    }

    /**
     * Returns some elements of a dimension, by the rules of slices of NumPy.
     *
     * @param axis its number; less than 0 counts from the end
     * @param begin the element that is first; less than 0 counts from the end
     * @param end the element before which it ends; less than 0 counts from the end. Beyond an edge both are the edge
     * @param step how many elements further the next one is; less than 0: backwards; not 0
     * @return the slice
     * @throws IllegalArgumentException if there is no such dimension, or the slice is empty
     */
    public Strided sliced(long axis, long begin, long end, long step) {
        int dimension = Loops.axis(axis, shape);
        long extent = shape.get(dimension);
        int back = step < 0 ? 1 : 0;
        long from = Math.clamp(begin < 0 ? begin + extent : begin, -back, extent - back);
        long to = Math.clamp(end < 0 ? end + extent : end, -back, extent - back);
        List<Long> extents = new ArrayList<>(shape);
        List<Long> sliced = new ArrayList<>(strides);
        extents.set(dimension, Math.max(0, Math.ceilDiv(to - from, step)));
        long stride = sliced.set(dimension, strides.get(dimension) * step);
        return new Strided(id, first + from * stride, extents, sliced);
    }

    /** {@return the elements from the value's own first one to the last one that is visited, with it} */
    public long reach() {
        return last(first, shape, strides, 1) + 1;
    }
}
