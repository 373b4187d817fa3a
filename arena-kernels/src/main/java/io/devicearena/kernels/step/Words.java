package io.devicearena.kernels.step;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The words of a structure that a kernel in CUDA gets by value, in their order: {@code division.cuh} has the structures
 * of divisors and loops.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Words {
    /** The most loops of a kernel. */
    public static final int MOST_LOOPS = 8;

    /** The bits of the numbers that are divided: 0 to 2^31 - 1. */
    private static final int BITS = 31;

    /** The words of the strides of a value. */
    public static final int STRIDES = 1 + MOST_LOOPS;

    private final IntStream.Builder words = IntStream.builder();

    /** Makes a structure without words. */
    public Words() {}

    /**
     * Returns the number of a constant in a kernel, whose own enum has the same names in the same order.
     *
     * @param constant of an enum
     * @return 0 or more
     */
    @SuppressWarnings("EnumOrdinal") // C has no names at run time
    public static int numberOf(Enum<?> constant) {
        return constant.ordinal();
    }

    /**
     * Adds numbers.
     *
     * @param numbers each in the range of an int
     * @return this structure
     * @throws ArithmeticException if a number is out of range
     */
    public Words add(long... numbers) {
        for (long number : numbers) {
            words.add(Math.toIntExact(number));
        }
        return this;
    }

    /**
     * Adds a number by which the kernel divides: with a multiplier and a shift, so that it multiplies instead.
     *
     * @param by 1 or more
     * @return this structure
     */
    public Words divisor(long by) {
        int shift = BITS + Long.SIZE - Long.numberOfLeadingZeros(by - 1);
        words.add(Math.toIntExact(by));
        words.add((int) (((1L << shift) + by - 1) / by));
        return add(shift);
    }

    /**
     * Adds the two words of a number, the lower one first.
     *
     * @param number any
     * @return this structure
     */
    public Words bits(double number) {
        long bits = Double.doubleToRawLongBits(number);
        words.add((int) bits);
        words.add((int) (bits >> Integer.SIZE));
        return this;
    }

    /**
     * Adds numbers, and zeros behind them.
     *
     * @param numbers at most as many as there is room for
     * @param room how many words are added
     * @return this structure
     */
    public Words padded(List<? extends Number> numbers, int room) {
        numbers.forEach(number -> add(number.longValue()));
        return add(new long[room - numbers.size()]);
    }

    /**
     * Adds loops over a shape, which are divisors.
     *
     * @param shape the extent of each dimension, at most 8
     * @return this structure
     * @throws IllegalArgumentException if there are more
     */
    public Words extents(List<Long> shape) {
        if (shape.size() > MOST_LOOPS) {
            throw new IllegalArgumentException(
                    "kernel in CUDA: expected at most " + MOST_LOOPS + " dimensions, got " + shape);
        }
        add(shape.size());
        for (int d = 0; d < MOST_LOOPS; d++) {
            divisor(d < shape.size() ? shape.get(d) : 1);
        }
        return this;
    }

    /**
     * Adds loops.
     *
     * @param loops at most 8
     * @return this structure
     * @throws IllegalArgumentException if there are more
     */
    public Words loops(Loops loops) {
        return extents(IntStream.range(0, loops.rank()).mapToObj(loops::extent).toList());
    }

    /**
     * Adds where the elements of a value are.
     *
     * @param loops over them
     * @param value its number in the loops
     * @param first its first element
     * @return this structure
     */
    public Words strides(Loops loops, int value, long first) {
        add(first);
        for (int d = 0; d < MOST_LOOPS; d++) {
            add(d < loops.rank() ? loops.stride(value, d) : 0);
        }
        return this;
    }

    /** {@return the words} */
    public int[] toArray() {
        return words.build().toArray();
    }
}
