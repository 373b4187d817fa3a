package io.devicearena.kernels.packed;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Unpacks the formats with super-blocks of 256 elements, one element at a time.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the block layouts are those of GGML's {@code ggml-common.h}.
 */
public final class SuperBlocks {
    /** Of Q4_K and Q5_K: two f16 and 12 bytes of scales. */
    private static final int HEADER_BYTES = 16;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private SuperBlocks() {}

    private static float half(MemorySegment bytes, long offset) {
        return Float.float16ToFloat(bytes.get(SHORT, offset));
    }

    /**
     * Unpacks a super-block of Q4_K or Q5_K: eight blocks of 32. The scale of each has 6 bits and so has its minimum.
     *
     * @param five whether it is Q5_K
     * @param bytes the matrix
     * @param offset where the super-block begins: bytes from the start of {@code bytes}
     * @param to receives 256 elements
     * @param at the index of the first in {@code to}
     */
    public static void fourOrFive(boolean five, MemorySegment bytes, long offset, float[] to, int at) {
        float scale = half(bytes, offset);
        float least = half(bytes, offset + 2);
        long fifths = offset + HEADER_BYTES;
        long fours = five ? fifths + 32 : fifths;
        for (int j = 0; j < 8; j++) {
            float d = scale * scale6(bytes, offset + 4, j);
            float m = least * minimum6(bytes, offset + 4, j);
            for (int i = 0; i < 32; i++) {
                int q = bytes.get(ValueLayout.JAVA_BYTE, fours + (j / 2 * 32L) + i) >> (4 * (j & 1)) & 15;
                if (five) {
                    q |= (bytes.get(ValueLayout.JAVA_BYTE, fifths + i) >> j & 1) << 4;
                }
                to[at + 32 * j + i] = d * q - m;
            }
        }
    }

    /** The scale of a block, 0 to 63. */
    private static int scale6(MemorySegment bytes, long scales, int j) {
        if (j < 4) {
            return bytes.get(ValueLayout.JAVA_BYTE, scales + j) & 63;
        }
        int low = bytes.get(ValueLayout.JAVA_BYTE, scales + j + 4) & 15;
        return low | ((bytes.get(ValueLayout.JAVA_BYTE, scales + j - 4) >> 6 & 3) << 4);
    }

    /** The minimum of a block, 0 to 63. */
    private static int minimum6(MemorySegment bytes, long scales, int j) {
        if (j < 4) {
            return bytes.get(ValueLayout.JAVA_BYTE, scales + j + 4) & 63;
        }
        int low = bytes.get(ValueLayout.JAVA_BYTE, scales + j + 4) >> 4 & 15;
        return low | ((bytes.get(ValueLayout.JAVA_BYTE, scales + j) >> 6 & 3) << 4);
    }

    /**
     * Unpacks a super-block of Q6_K: sixteen blocks of 16. The scale of each has 8 bits.
     *
     * @param bytes the matrix
     * @param offset where the super-block begins: bytes from the start of {@code bytes}
     * @param to receives 256 elements
     * @param at the index of the first in {@code to}
     */
    public static void six(MemorySegment bytes, long offset, float[] to, int at) {
        float scale = half(bytes, offset + 208);
        for (int e = 0; e < 256; e++) {
            int half = e / 128;
            int quarter = e / 32 % 4;
            int i = e % 32;
            int pair = bytes.get(ValueLayout.JAVA_BYTE, offset + 64L * half + 32L * (quarter % 2) + i);
            int four = (pair >> (quarter / 2 * 4)) & 15;
            int pairs = bytes.get(ValueLayout.JAVA_BYTE, offset + 128 + 32L * half + i);
            int two = (pairs >> (2 * quarter)) & 3;
            int blockScale = bytes.get(ValueLayout.JAVA_BYTE, offset + 192 + e / 16);
            to[at + e] = scale * blockScale * ((four | (two << 4)) - 32);
        }
    }
}
