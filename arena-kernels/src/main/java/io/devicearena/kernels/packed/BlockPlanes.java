package io.devicearena.kernels.packed;

import io.devicearena.weights.tensor.TensorType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * How packed blocks become signed bytes in planes: eight at a time, in the bytes of a {@code long}.
 *
 * <p>{@link TensorType#decode} gives the same elements one by one, and takes six to ten times as long.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the block layouts are those of GGML's {@code ggml-common.h}; several small numbers in a word:
 * Warren, Hacker's Delight, 2nd edition, 2-18.
 */
public final class BlockPlanes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    /** One in each byte. */
    private static final long ONES = 0x0101010101010101L;

    private static final long NIBBLES = 15 * ONES;
    private static final long SIGNS = 0x8080808080808080L;

    private BlockPlanes() {}

    /**
     * Returns the order of the elements of a tile.
     *
     * @param type of the blocks
     * @return planes of 8 elements of a group
     */
    public static PlaneLayout layout(TensorType type) {
        return new PlaneLayout(groupElements(type) / 8, 8);
    }

    /** The elements that share a scale. */
    static int groupElements(TensorType type) {
        return type == TensorType.Q6_K ? 16 : 32;
    }

    /** Whether a group has a minimum too, which is subtracted; Q4_1 has it with the other sign. */
    static boolean hasMinima(TensorType type) {
        return type == TensorType.Q4_1 || type == TensorType.Q4_K || type == TensorType.Q5_K;
    }

    /** Unpacks blocks from the start of {@code packed}. */
    static void unpack(TensorType type, byte[] packed, int blocks, RowTile to) {
        switch (type) {
            case Q8_0 -> eight(packed, blocks, to);
            case Q4_0, Q4_1 -> four(type, packed, blocks, to);
            case Q5_0 -> five(packed, blocks, to);
            case Q4_K, Q5_K -> fourOrFiveK(type, packed, blocks, to);
            case Q6_K -> sixK(packed, blocks, to);
            default -> throw new AssertionError(type);
        }
    }

    private static float half(byte[] from, int at) {
        return Float.float16ToFloat((short) SHORT.get(from, at));
    }

    private static long word(byte[] from, int at) {
        return (long) LONG.get(from, at);
    }

    /** Subtracts a number of 0 to 64 from each byte, which is at most 63; no byte borrows from its neighbour. */
    private static long minus(long bytes, int subtrahend) {
        return ((bytes | SIGNS) - subtrahend * ONES) ^ SIGNS;
    }

    private static void eight(byte[] from, int blocks, RowTile to) {
        byte[] q0 = to.quants(0);
        byte[] q1 = to.quants(1);
        byte[] q2 = to.quants(2);
        byte[] q3 = to.quants(3);
        float[] scales = to.scales();
        for (int b = 0; b < blocks; b++) {
            int at = TensorType.Q8_0.blockBytes() * b;
            scales[b] = half(from, at);
            LONG.set(q0, 8 * b, word(from, at + 2));
            LONG.set(q1, 8 * b, word(from, at + 10));
            LONG.set(q2, 8 * b, word(from, at + 18));
            LONG.set(q3, 8 * b, word(from, at + 26));
        }
    }

    /** Q4_0 subtracts 8 from each number, Q4_1 adds a number to what is scaled. */
    private static void four(TensorType type, byte[] from, int blocks, RowTile to) {
        boolean hasMinima = hasMinima(type);
        int fours = hasMinima ? 4 : 2;
        int subtrahend = hasMinima ? 0 : 8;
        byte[] q0 = to.quants(0);
        byte[] q1 = to.quants(1);
        byte[] q2 = to.quants(2);
        byte[] q3 = to.quants(3);
        float[] scales = to.scales();
        for (int b = 0; b < blocks; b++) {
            int at = type.blockBytes() * b;
            scales[b] = half(from, at);
            if (hasMinima) {
                to.minima()[b] = -half(from, at + 2);
            }
            long first = word(from, at + fours);
            long second = word(from, at + fours + 8);
            LONG.set(q0, 8 * b, minus(first & NIBBLES, subtrahend));
            LONG.set(q1, 8 * b, minus(second & NIBBLES, subtrahend));
            LONG.set(q2, 8 * b, minus(((first >>> 4) & NIBBLES), subtrahend));
            LONG.set(q3, 8 * b, minus(((second >>> 4) & NIBBLES), subtrahend));
        }
    }

    private static void five(byte[] from, int blocks, RowTile to) {
        byte[] q0 = to.quants(0);
        byte[] q1 = to.quants(1);
        byte[] q2 = to.quants(2);
        byte[] q3 = to.quants(3);
        float[] scales = to.scales();
        for (int b = 0; b < blocks; b++) {
            int at = TensorType.Q5_0.blockBytes() * b;
            scales[b] = half(from, at);
            long fifths = (int) INT.get(from, at + 2);
            long first = word(from, at + 6);
            long second = word(from, at + 14);
            LONG.set(q0, 8 * b, minus((first & NIBBLES) | Long.expand(fifths, 16 * ONES), 16));
            LONG.set(q1, 8 * b, minus((second & NIBBLES) | Long.expand(fifths >>> 8, 16 * ONES), 16));
            LONG.set(q2, 8 * b, minus(((first >>> 4) & NIBBLES) | Long.expand(fifths >>> 16, 16 * ONES), 16));
            LONG.set(q3, 8 * b, minus(((second >>> 4) & NIBBLES) | Long.expand(fifths >>> 24, 16 * ONES), 16));
        }
    }

    /** Eight groups of 32: a pair of groups in the low and high halves of 32 bytes; fifth bits in other 32 bytes. */
    private static void fourOrFiveK(TensorType type, byte[] from, int blocks, RowTile to) {
        boolean five = type == TensorType.Q5_K;
        float[] scales = to.scales();
        float[] minima = to.minima();
        for (int b = 0; b < blocks; b++) {
            int at = type.blockBytes() * b;
            float scale = half(from, at);
            float minimum = half(from, at + 2);
            for (int j = 0; j < 8; j++) {
                scales[8 * b + j] = scale * scale6(from, at + 4, j);
                minima[8 * b + j] = minimum * minimum6(from, at + 4, j);
            }
            int fours = at + (five ? 48 : 16);
            for (int plane = 0; plane < 4; plane++) {
                byte[] q = to.quants(plane);
                long fifths = five ? word(from, at + 16 + 8 * plane) : 0;
                for (int pair = 0; pair < 4; pair++) {
                    long word = word(from, fours + 32 * pair + 8 * plane);
                    int group = 8 * b + 2 * pair;
                    LONG.set(q, 8 * group, (word & NIBBLES) | (((fifths >>> (2 * pair)) & ONES) << 4));
                    LONG.set(q, 8 * group + 8, ((word >>> 4) & NIBBLES) | (((fifths >>> (2 * pair + 1)) & ONES) << 4));
                }
            }
        }
    }

    /** The scale of a group of Q4_K and Q5_K, 0 to 63. */
    private static int scale6(byte[] from, int at, int group) {
        if (group < 4) {
            return from[at + group] & 63;
        }
        return (from[at + group + 4] & 15) | (((from[at + group - 4] >> 6) & 3) << 4);
    }

    /** The minimum of a group of Q4_K and Q5_K, 0 to 63. */
    private static int minimum6(byte[] from, int at, int group) {
        if (group < 4) {
            return from[at + group + 4] & 63;
        }
        return ((from[at + group + 4] >> 4) & 15) | (((from[at + group] >> 6) & 3) << 4);
    }

    /** Two halves of four quarters of 32 elements; a scale for 16. */
    private static void sixK(byte[] from, int blocks, RowTile to) {
        byte[] q0 = to.quants(0);
        byte[] q1 = to.quants(1);
        float[] scales = to.scales();
        for (int b = 0; b < blocks; b++) {
            int at = TensorType.Q6_K.blockBytes() * b;
            float scale = half(from, at + 208);
            for (int g = 0; g < 16; g++) {
                scales[16 * b + g] = scale * from[at + 192 + g];
                int half = g / 8;
                int quarter = g / 2 % 4;
                int fours = at + 64 * half + 32 * (quarter % 2) + 16 * (g % 2);
                int twos = at + 128 + 32 * half + 16 * (g % 2);
                LONG.set(q0, 8 * (16 * b + g), six(word(from, fours), word(from, twos), quarter));
                LONG.set(q1, 8 * (16 * b + g), six(word(from, fours + 8), word(from, twos + 8), quarter));
            }
        }
    }

    private static long six(long fours, long twos, int quarter) {
        long low = (fours >>> (4 * (quarter / 2))) & NIBBLES;
        return minus(low | (((twos >>> (2 * quarter)) & (3 * ONES)) << 4), 32);
    }
}
