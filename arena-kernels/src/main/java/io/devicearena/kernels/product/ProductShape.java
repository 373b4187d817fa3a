package io.devicearena.kernels.product;

import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.Words;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The shapes of a product of matrices, or of many products.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param rows of the left matrix and of the result, 1 or more
 * @param columns of the right matrix and of the result, 1 or more
 * @param depth the columns of the left matrix and the rows of the right one, 1 or more
 * @param isLeftTransposed whether the left matrix lies in memory as [depth][rows]
 * @param isRightTransposed whether the right matrix lies in memory as [columns][depth]
 * @param batch the axes of the products, outermost first; none for one product
 */
public record ProductShape(
        int rows, int columns, int depth, boolean isLeftTransposed, boolean isRightTransposed, List<Axis> batch) {
    private static final int MOST_AXES = 4;

    /**
     * An axis of many products. The results lie one after the other; an operand that has the axis moves by a step.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param size how many products, 1 or more
     * @param leftStep the matrices from one left operand to the next along this axis; 0: all products share it
     * @param rightStep the matrices from one right operand to the next along this axis; 0: all products share it
     */
    public record Axis(int size, int leftStep, int rightStep) {
        /** Checks the ranges. */
        public Axis {
            if (size < 1 || leftStep < 0 || rightStep < 0) {
                throw new IllegalArgumentException("axis of products: expected a size of 1 or more and steps of 0 or"
                        + " more, got " + size + ", " + leftStep + " and " + rightStep);
            }
        }
    }

    /** Checks the ranges. */
    public ProductShape {
        batch = List.copyOf(batch);
        if (rows < 1 || columns < 1 || depth < 1) {
            throw new IllegalArgumentException("product: expected sizes of 1 or more, got " + rows + " x " + depth
                    + " times " + depth + " x " + columns);
        }
        if (batch.size() > MOST_AXES) {
            throw new IllegalArgumentException(
                    "product: expected at most " + MOST_AXES + " axes of products, got " + batch.size());
        }
    }

    /**
     * Returns the shape of products by the rules of {@code numpy.matmul}: the last two dimensions of an operand are a
     * matrix, those before are broadcast to each other, and an operand of one dimension is a row or a column.
     *
     * @param left the shape of the left operand
     * @param right the shape of the right operand
     * @return the shape of their products
     * @throws IllegalArgumentException if they do not agree
     */
    public static ProductShape of(List<Long> left, List<Long> right) {
        return of(left, false, right, false);
    }

    /**
     * Returns the shape of products of matrices in any layout.
     *
     * @param left the shape of the left operand in memory
     * @param isLeftTransposed whether its last two dimensions are [depth][rows]
     * @param right the shape of the right operand in memory
     * @param isRightTransposed whether its last two dimensions are [columns][depth]
     * @return the shape of their products
     * @throws IllegalArgumentException if they do not agree
     */
    public static ProductShape of(
            List<Long> left, boolean isLeftTransposed, List<Long> right, boolean isRightTransposed) {
        List<Long> a = left.size() == 1 ? List.of(1L, left.getFirst()) : left;
        List<Long> b = right.size() == 1 ? List.of(right.getFirst(), 1L) : right;
        List<Long> leftBatch = a.subList(0, a.size() - 2);
        List<Long> rightBatch = b.subList(0, b.size() - 2);
        long depth = a.get(a.size() - (isLeftTransposed ? 2 : 1));
        long rows = a.get(a.size() - (isLeftTransposed ? 1 : 2));
        long columns = b.get(b.size() - (isRightTransposed ? 2 : 1));
        if (b.get(b.size() - (isRightTransposed ? 1 : 2)) != depth) {
            throw new IllegalArgumentException("product: expected as many columns of the left matrix as rows of the"
                    + " right one, got " + left + " and " + right);
        }
        boolean isOne = Loops.product(rightBatch) == 1 && !isLeftTransposed; // then all rows are of one matrix
        return new ProductShape(
                Math.toIntExact(isOne ? rows * Loops.product(leftBatch) : rows),
                Math.toIntExact(columns),
                Math.toIntExact(depth),
                isLeftTransposed,
                isRightTransposed,
                isOne ? List.of() : axes(leftBatch, rightBatch));
    }

    private static List<Axis> axes(List<Long> left, List<Long> right) {
        List<Axis> axes = new ArrayList<>();
        int leftStep = 1;
        int rightStep = 1;
        for (int i = 1; i <= Math.max(left.size(), right.size()); i++) {
            int leftSize = i > left.size() ? 1 : Math.toIntExact(left.get(left.size() - i));
            int rightSize = i > right.size() ? 1 : Math.toIntExact(right.get(right.size() - i));
            if (leftSize != rightSize && leftSize != 1 && rightSize != 1) {
                throw new IllegalArgumentException(
                        "product: expected batches that are broadcast to each other, got " + left + " and " + right);
            }
            axes.addFirst(new Axis(
                    Math.max(leftSize, rightSize), leftSize == 1 ? 0 : leftStep, rightSize == 1 ? 0 : rightStep));
            leftStep *= leftSize;
            rightStep *= rightSize;
        }
        return axes;
    }

    /** {@return the number of products} */
    public int products() {
        return batch.stream().mapToInt(Axis::size).reduce(1, Math::multiplyExact);
    }

    /** {@return the elements of all left operands} */
    public long leftElements() {
        return matrices(Axis::leftStep) * rows * depth;
    }

    /** {@return the elements of all right operands} */
    public long rightElements() {
        return matrices(Axis::rightStep) * depth * columns;
    }

    /** The matrices from the first to the last that is used. */
    private long matrices(ToIntFunction<Axis> step) {
        return 1
                + batch.stream()
                        .mapToLong(axis -> (axis.size() - 1L) * step.applyAsInt(axis))
                        .sum();
    }

    /** {@return the elements of all results} */
    public long outElements() {
        return (long) products() * rows * columns;
    }

    /** The layouts and axes as the structure {@code Matrices} of {@code matrices.cuh}. */
    Words words() {
        Words words = new Words()
                .add(
                        isLeftTransposed ? 1 : depth,
                        isLeftTransposed ? rows : 1,
                        isRightTransposed ? depth : 1,
                        isRightTransposed ? 1 : columns);
        allAxes().forEach(axis -> words.divisor(axis.size));
        allAxes().forEach(axis -> words.add(axis.leftStep));
        allAxes().forEach(axis -> words.add(axis.rightStep));
        return words;
    }

    /** As many axes as a kernel has: outside those of the products there is one product each. */
    List<Axis> allAxes() {
        List<Axis> axes = new ArrayList<>(Collections.nCopies(MOST_AXES - batch.size(), new Axis(1, 0, 0)));
        axes.addAll(batch);
        return axes;
    }
}
