package io.devicearena.conformance.data;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Lengths at which devices and drivers change how they copy, and their neighbours.
 *
 * <p><b>Threads:</b> static; safe for any thread.
 */
public final class LongSizes {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    /** Each with every neighbour. */
    private static final int[] SHORT = {64 * KIB, 256 * KIB, MIB, 2 * MIB};

    /** Each with one neighbour; by turns, since they take most of the time. */
    private static final int LONGEST = 33 * MIB;

    private static final int[][] LONG = {{4 * MIB, 16 * MIB, LONGEST}, {8 * MIB, LONGEST}};

    /** Neither near a power of two nor near a multiple of 64 KiB. */
    private static final int[] SHORT_BETWEEN = {98_311, 413_003, 1_717_273};

    /** As those, by turns. */
    private static final int[][] LONG_BETWEEN = {
        {3 * MIB + 12_345, 6 * MIB - 98_765, 25 * MIB + 40_001}, {3 * MIB - 54_321, 7 * MIB + 1001, 13 * MIB + 30_003}
    };

    /** Exact multiples of the pieces in which devices copy; by turns, beside those with a neighbour. */
    private static final int[][] EXACT = {{8 * MIB}, {4 * MIB, 16 * MIB}};

    private static final int[] BYTES = {0, -1, 1, -4, 4};
    private static final int[] ELEMENTS = {0, -1, 1};

    private static final int[] SHORT_COUNTS = {
        16_384, 16_385, 24_571, 65_535, 65_536, 100_003, 262_144, 262_145, MIB + 1
    };

    private static final int[] LARGE_COUNTS = {MIB, MIB - 1, 700_001, 1_500_001, 2_500_003};

    private static final int[] LONGEST_COUNTS = {4 * MIB, 4 * MIB + 1, 5_000_003, LONGEST / Float.BYTES};

    private static final long[] MEMORY = {
        64 * KIB + 1,
        100_000,
        300_001,
        MIB + 1,
        2 * MIB - 1,
        2 * MIB + 1,
        3_000_002,
        5 * MIB + 7,
        8 * MIB + 4,
        13_000_003,
        16 * MIB + 1,
        25_000_001
    };

    /** The longest length. */
    public static final long MOST = LONGEST + 8;

    /** The largest number of elements: 33 MiB of F32. */
    public static final int MOST_ELEMENTS = LONGEST / Float.BYTES;

    private LongSizes() {}

    /**
     * Lengths in bytes around 64 KiB to 33 MiB.
     *
     * @param turn which neighbours of the long ones: 0 or more, another one for each way in and out
     * @param unit the size of an element, of which each length is a multiple, in bytes
     * @param most the largest length, in bytes
     * @return lengths in bytes, 1 or more of them
     */
    public static long[] of(int turn, int unit, long most) {
        IntStream others = IntStream.concat(
                IntStream.of(LONG_BETWEEN[turn % LONG_BETWEEN.length]), IntStream.of(EXACT[turn % EXACT.length]));
        LongStream all = LongStream.concat(
                LongStream.concat(ofShort(turn, unit), between(unit)),
                others.mapToLong(length -> length / unit * (long) unit));
        int[] bases = LONG[turn % LONG.length];
        for (int i = 0; i < bases.length; i++) {
            all = LongStream.concat(all, LongStream.of(length(bases[i], turn / 2 + i, unit)));
        }
        return all.filter(length -> length <= most).toArray();
    }

    /**
     * Lengths of memory that must be zeroed: around powers of two, and others.
     *
     * @param most the largest length, which is one of them, in bytes
     * @return lengths in bytes
     */
    public static long[] ofMemory(long most) {
        return LongStream.concat(Arrays.stream(MEMORY), LongStream.of(most))
                .filter(length -> length <= most)
                .toArray();
    }

    private static LongStream between(int unit) {
        return Arrays.stream(SHORT_BETWEEN).mapToLong(length -> length / unit * (long) unit);
    }

    /**
     * Numbers of elements from 16,384 to millions: exact multiples of the blocks in which casts work, their neighbours,
     * and others.
     *
     * @param turn which of the long ones: 0 or more
     * @param most the largest number
     * @return numbers of elements
     */
    public static int[] counts(int turn, int most) {
        IntStream large = IntStream.of(
                LARGE_COUNTS[turn % LARGE_COUNTS.length],
                LARGE_COUNTS[(turn + 2) % LARGE_COUNTS.length],
                LONGEST_COUNTS[turn % LONGEST_COUNTS.length]);
        return IntStream.concat(Arrays.stream(SHORT_COUNTS), large)
                .filter(count -> count <= most)
                .toArray();
    }

    /**
     * The lengths of {@link #of} up to 2 MiB.
     *
     * @param turn 0 or more
     * @param unit the size of an element, in bytes
     * @param most the largest length, in bytes
     * @return lengths in bytes
     */
    public static long[] ofShort(int turn, int unit, long most) {
        return ofShort(turn, unit).filter(length -> length <= most).toArray();
    }

    /**
     * One neighbour of each length up to 2 MiB, and of 33 MiB, and a length between them.
     *
     * @param turn which neighbour: 0 or more
     * @param most the largest length, in bytes
     * @return lengths in bytes
     */
    public static long[] few(int turn, long most) {
        LongStream neighbours = LongStream.range(0, SHORT.length + 1L)
                .map(i -> length(i < SHORT.length ? SHORT[(int) i] : LONGEST, turn + (int) i, 1));
        return LongStream.concat(LongStream.of(SHORT_BETWEEN[turn % SHORT_BETWEEN.length]), neighbours)
                .filter(length -> length <= most)
                .toArray();
    }

    /**
     * The lengths of {@link #of} up to 2 MiB, and 33 MiB.
     *
     * @param turn which neighbour of the longest: 0 or more
     * @param unit the size of an element, in bytes
     * @param most the largest length, in bytes
     * @return lengths in bytes
     */
    public static long[] ofShortAndLongest(int turn, int unit, long most) {
        LongStream others = LongStream.concat(between(unit), LongStream.of(length(LONGEST, turn, unit)));
        return LongStream.concat(ofShort(turn, unit), others)
                .filter(length -> length <= most)
                .toArray();
    }

    private static LongStream ofShort(int turn, int unit) {
        int neighbours = unit == 1 ? BYTES.length : ELEMENTS.length;
        return LongStream.range(0, (long) SHORT.length * neighbours)
                .map(i -> length(SHORT[(int) i / neighbours], turn + (int) i, unit));
    }

    private static long length(int base, int neighbour, int unit) {
        return unit == 1
                ? base + BYTES[neighbour % BYTES.length]
                : base / unit * (long) unit + ELEMENTS[neighbour % ELEMENTS.length] * (long) unit;
    }
}
