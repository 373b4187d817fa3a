package io.devicearena.kernels.shape;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Loops;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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
 * @param strides elements from one to the next, for each dimension, outermost first: 0 where it is broadcast, less than
 *     0 where it runs backwards; at most 8
 */
public record Strided(NodeId id, long first, List<Long> strides) {
    private static final int MOST_DIMENSIONS = 8;

    /** Copies the strides. */
    public Strided {
        requireNonNull(id, "id");
        strides = List.copyOf(strides);
        if (first < 0 || strides.size() > MOST_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "strides of " + id + ": expected a first element of 0 or more and at most " + MOST_DIMENSIONS
                            + " dimensions, got " + first + " and " + strides.size());
        }
    }

    /**
     * Returns a value whose elements lie one after the other.
     *
     * @param id the value
     * @param shape the extent of each dimension
     * @return the value with its own strides
     */
    public static Strided dense(NodeId id, List<Long> shape) {
        return new Strided(id, 0, Loops.dense(shape));
    }

    /**
     * Returns a dense value that is repeated along dimensions which it does not have, or in which it has one element.
     *
     * @param id the value
     * @param shape its own shape, of as many dimensions as {@code to} or fewer: the innermost ones
     * @param to the shape that it is broadcast to
     * @return the value with a stride for each dimension of {@code to}
     * @throws IllegalArgumentException if the shapes do not agree
     */
    public static Strided broadcast(NodeId id, List<Long> shape, List<Long> to) {
        int missing = to.size() - shape.size();
        List<Long> strides = new ArrayList<>(Collections.nCopies(Math.max(0, missing), 0L));
        List<Long> dense = Loops.dense(shape);
        for (int d = 0; d < shape.size(); d++) {
            long extent = shape.get(d);
            if (missing < 0 || (extent != 1 && extent != to.get(missing + d))) {
                throw new IllegalArgumentException(
                        "shape of " + id + ": expected one that is broadcast to " + to + ", got " + shape);
            }
            strides.add(extent == 1 ? 0 : dense.get(d));
        }
        return new Strided(id, 0, strides);
    }

    /**
     * Returns the value with its dimensions in another order.
     *
     * @param order the number of the old dimension, for each new one
     * @return the transposed value
     * @throws IndexOutOfBoundsException if there is no such dimension
     */
    public Strided permuted(int... order) {
        List<Long> permuted = new ArrayList<>();
        for (int dimension : order) {
            permuted.add(strides.get(dimension));
        }
        return new Strided(id, first, permuted);
    }

    /**
     * Returns the value from an element of a dimension on.
     *
     * @param dimension its number
     * @param begin the element that is first, 0 or more
     * @param step how many elements further the next one is; less than 0: backwards
     * @return the slice
     * @throws IndexOutOfBoundsException if there is no such dimension
     */
    public Strided sliced(int dimension, long begin, long step) {
        List<Long> sliced = new ArrayList<>(strides);
        long stride = sliced.get(dimension);
        sliced.set(dimension, stride * step);
        return new Strided(id, first + begin * stride, sliced);
    }

    /**
     * Returns how far a walk reaches.
     *
     * @param shape the elements that are visited along each dimension
     * @return the elements from the value's own first one to the last one that is visited, with it
     */
    public long reach(List<Long> shape) {
        long last = first;
        for (int d = 0; d < shape.size(); d++) {
            last += Math.max(0, strides.get(d)) * (shape.get(d) - 1);
        }
        return last + 1;
    }

    /**
     * Checks that no element is before the first one of the value, and that there is a stride for each dimension.
     *
     * @param subject begins the error
     * @param shape the shape of a step
     * @throws IllegalArgumentException if not
     */
    public void check(String subject, List<Long> shape) {
        if (strides.size() != shape.size() || shape.stream().anyMatch(extent -> extent < 1)) {
            throw new IllegalArgumentException(subject + ": expected dimensions of 1 or more, each with a stride of "
                    + id + ", got " + shape + " and strides " + strides);
        }
        long least = first;
        for (int d = 0; d < shape.size(); d++) {
            least += Math.min(0, strides.get(d)) * (shape.get(d) - 1);
        }
        if (least < 0) {
            throw new IllegalArgumentException(
                    subject + ": expected strides that stay in " + id + ", got element " + least);
        }
    }
}
