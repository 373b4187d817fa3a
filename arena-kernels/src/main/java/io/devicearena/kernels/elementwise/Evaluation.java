package io.devicearena.kernels.elementwise;

import io.devicearena.kernels.elementwise.Expression.Binary;
import io.devicearena.kernels.elementwise.Expression.Constant;
import io.devicearena.kernels.elementwise.Expression.Input;
import io.devicearena.kernels.elementwise.Expression.Select;
import io.devicearena.kernels.elementwise.Expression.Sum;
import io.devicearena.kernels.elementwise.Expression.Unary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Computes an expression on the host for a block of elements at a time, operation by operation, so that what is between
 * operations stays in the first cache.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Evaluation {
    /**
     * Reads the inputs of an expression.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public interface Inputs {
        /**
         * Reads the elements of an input for the next block.
         *
         * @param number of the input in {@link Expression#inputs}, or {@link #SUM}
         * @param floats receives them if the expression reads floats, else it is empty
         * @param ints receives them if the expression reads integers, else it is empty
         * @param count how many
         */
        void load(int number, float[] floats, int[] ints, int count);
    }

    /** The number of the sums. */
    public static final int SUM = -1;

    private final Inputs inputs;
    private final List<IntConsumer> operations = new ArrayList<>(); // each takes the number of elements
    private final float[][] floats; // of each operation, empty if it gives integers
    private final int[][] ints;

    /**
     * Makes the memory for a block.
     *
     * @param expression what is computed
     * @param most the most elements of a block, 1 or more
     * @param inputs reads what the expression reads
     */
    public Evaluation(Expression expression, int most, Inputs inputs) {
        this.inputs = inputs;
        Operations all = Operations.of(expression);
        List<Expression> parts = all.parts();
        this.floats = new float[parts.size()][];
        this.ints = new int[parts.size()][];
        for (int i = 0; i < floats.length; i++) {
            Expression part = parts.get(i);
            boolean isFloat = part.type() == Expression.Type.F32;
            floats[i] = new float[isFloat ? most : 0];
            ints[i] = new int[isFloat ? 0 : most];
            if (part instanceof Constant(int bits, Expression.Type _)) {
                Arrays.fill(floats[i], Float.intBitsToFloat(bits));
                Arrays.fill(ints[i], bits);
            } else {
                operations.add(operation(part, all, floats[i], ints[i]));
            }
        }
    }

    private IntConsumer operation(Expression part, Operations all, float[] to, int[] toInts) {
        int[] from = all.operandsOf(part);
        return switch (part) {
            case Input _, Sum _ -> {
                int input = part instanceof Sum ? SUM : all.inputs().indexOf(part);
                yield count -> inputs.load(input, to, toInts, count);
            }
            case Constant _ -> throw new AssertionError("a number has no operation");
            case Unary(UnaryOperation operation, Expression _) -> unary(operation, from[0], to, toInts);
            case Binary(BinaryOperation operation, Expression _, Expression _) ->
                binary(operation, from[0], from[1], to, toInts);
            case Select _ -> count -> select(ints[from[0]], from[1], from[2], to, toInts, count);
        };
    }

    /**
     * Computes a block.
     *
     * @param count its elements, up to those that there is memory for
     */
    public void compute(int count) {
        for (IntConsumer operation : operations) {
            operation.accept(count);
        }
    }

    /** {@return the results of the last block, if they are floats: memory that the next block overwrites} */
    public float[] floats() {
        return floats[floats.length - 1];
    }

    /** {@return the results of the last block, if they are integers: memory that the next block overwrites} */
    public int[] ints() {
        return ints[ints.length - 1];
    }

    private IntConsumer unary(UnaryOperation operation, int from, float[] to, int[] toInts) {
        float[] x = floats[from];
        int[] n = ints[from];
        return switch (operation) {
            case TO_F32 ->
                count -> {
                    for (int i = 0; i < count; i++) {
                        to[i] = n[i];
                    }
                };
            case TO_I32 ->
                count -> {
                    for (int i = 0; i < count; i++) {
                        toInts[i] = (int) x[i];
                    }
                };
            default ->
                x.length > 0 ? count -> operation.apply(x, to, count) : count -> operation.apply(n, toInts, count);
        };
    }

    private IntConsumer binary(BinaryOperation operation, int first, int second, float[] to, int[] toInts) {
        float[] a = floats[first];
        float[] b = floats[second];
        if (a.length == 0) {
            return count -> operation.apply(ints[first], ints[second], toInts, count);
        }
        return operation.isComparison()
                ? count -> operation.compare(a, b, toInts, count)
                : count -> operation.apply(a, b, to, count);
    }

    private void select(int[] condition, int yes, int no, float[] to, int[] toInts, int count) {
        for (int i = 0; i < count; i++) {
            int chosen = condition[i] != 0 ? yes : no;
            if (to.length > 0) {
                to[i] = floats[chosen][i];
            } else {
                toInts[i] = ints[chosen][i];
            }
        }
    }
}
