package io.devicearena.kernels.product;

import java.util.List;

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
    static final int MOST_AXES = 4;

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
     * Returns the shape of one product.
     *
     * @param rows of the left matrix, 1 or more
     * @param depth its columns, 1 or more
     * @param columns of the right matrix, 1 or more
     * @return a shape with both matrices row by row in memory
     */
    public static ProductShape of(int rows, int depth, int columns) {
        return new ProductShape(rows, columns, depth, false, false, List.of());
    }

    /**
     * Returns the same shape with operands in another layout.
     *
     * @param left whether the left matrix lies in memory as [depth][rows]
     * @param right whether the right matrix lies in memory as [columns][depth]
     * @return a new shape
     */
    public ProductShape transposed(boolean left, boolean right) {
        return new ProductShape(rows, columns, depth, left, right, batch);
    }

    /**
     * Returns the shape of many products.
     *
     * @param axes of the products, outermost first, at most 4
     * @return a new shape
     */
    public ProductShape batched(List<Axis> axes) {
        return new ProductShape(rows, columns, depth, isLeftTransposed, isRightTransposed, axes);
    }

    /** {@return the number of products} */
    public int products() {
        return batch.stream().mapToInt(Axis::size).reduce(1, Math::multiplyExact);
    }

    /** {@return the elements of all left operands} */
    public long leftElements() {
        return (1
                        + batch.stream()
                                .mapToLong(axis -> (axis.size() - 1L) * axis.leftStep())
                                .sum())
                * rows
                * depth;
    }

    /** {@return the elements of all right operands} */
    public long rightElements() {
        return (1
                        + batch.stream()
                                .mapToLong(axis -> (axis.size() - 1L) * axis.rightStep())
                                .sum())
                * depth
                * columns;
    }

    /** {@return the elements of all results} */
    public long outElements() {
        return (long) products() * rows * columns;
    }
}
