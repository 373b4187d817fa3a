package io.devicearena.conformance.data;

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

    private static final int[] BYTES = {0, -1, 1, -4, 4};
    private static final int[] ELEMENTS = {0, -1, 1};

    /** The longest length. */
    public static final long MOST = LONGEST + 8;

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
        LongStream all = ofShort(turn, unit);
        int[] bases = LONG[turn % LONG.length];
        for (int i = 0; i < bases.length; i++) {
            all = LongStream.concat(all, LongStream.of(length(bases[i], turn / 2 + i, unit)));
        }
        return all.filter(length -> length <= most).toArray();
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
     * One neighbour of each length up to 2 MiB, and of 33 MiB.
     *
     * @param turn which neighbour: 0 or more
     * @param most the largest length, in bytes
     * @return lengths in bytes
     */
    public static long[] few(int turn, long most) {
        return LongStream.range(0, SHORT.length + 1L)
                .map(i -> length(i < SHORT.length ? SHORT[(int) i] : LONGEST, turn + (int) i, 1))
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
        return LongStream.concat(ofShort(turn, unit), LongStream.of(length(LONGEST, turn, unit)))
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
