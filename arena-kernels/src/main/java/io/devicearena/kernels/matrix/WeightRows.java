package io.devicearena.kernels.matrix;

import io.devicearena.kernels.packed.SuperBlocks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Unpacks weights on the host.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the block layouts are those of GGML's {@code ggml-common.h}.
 */
public final class WeightRows {
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private WeightRows() {}

    /**
     * Unpacks consecutive elements of a row. Each is the f32 that the format's definition gives, with one rounding for
     * each of its operations.
     *
     * <p>{@link WeightFormat#F16_SHADOW} reads floats and rounds them as the mirror does, to the nearest f16.
     *
     * @param format how the elements are stored
     * @param bytes the matrix
     * @param offset where the first block begins: bytes from the start of {@code bytes}
     * @param elements how many, a multiple of the format's block
     * @param to receives the elements
     * @param at the index of the first in {@code to}
     * @throws IllegalArgumentException if {@code elements} is not a multiple of the block
     * @throws IndexOutOfBoundsException if the blocks are not in {@code bytes}, or the elements do not fit
     */
    public static void unpack(WeightFormat format, MemorySegment bytes, long offset, int elements, float[] to, int at) {
        format.rowBytes(elements);
        switch (format) {
            case F32 -> MemorySegment.copy(bytes, FLOAT, offset, to, at, elements);
            case F16 -> {
                for (int i = 0; i < elements; i++) {
                    to[at + i] = half(bytes, offset + 2L * i);
                }
            }
            case F16_SHADOW -> {
                for (int i = 0; i < elements; i++) {
                    to[at + i] = Float.float16ToFloat(Float.floatToFloat16(bytes.get(FLOAT, offset + 4L * i)));
                }
            }
            case BF16 -> {
                for (int i = 0; i < elements; i++) {
                    to[at + i] = Float.intBitsToFloat(bytes.get(SHORT, offset + 2L * i) << 16);
                }
            }
            default -> {
                int size = format.blockElements();
                for (int b = 0; b < elements / size; b++) {
                    block(format, bytes, offset + (long) b * format.blockBytes(), to, at + b * size);
                }
            }
        }
    }

    private static void block(WeightFormat format, MemorySegment bytes, long offset, float[] to, int at) {
        switch (format) {
            case Q8_0 -> {
                float scale = half(bytes, offset);
                for (int i = 0; i < 32; i++) {
                    to[at + i] = scale * bytes.get(ValueLayout.JAVA_BYTE, offset + 2 + i);
                }
            }
            case Q4_0 -> {
                float scale = half(bytes, offset);
                for (int i = 0; i < 16; i++) {
                    int pair = bytes.get(ValueLayout.JAVA_BYTE, offset + 2 + i);
                    to[at + i] = scale * ((pair & 15) - 8);
                    to[at + 16 + i] = scale * (((pair >> 4) & 15) - 8);
                }
            }
            case Q5_0 -> {
                float scale = half(bytes, offset);
                int fifth = bytes.get(INT, offset + 2);
                for (int i = 0; i < 16; i++) {
                    int pair = bytes.get(ValueLayout.JAVA_BYTE, offset + 6 + i);
                    to[at + i] = scale * (((pair & 15) | (((fifth >> i) & 1) << 4)) - 16);
                    to[at + 16 + i] = scale * ((((pair >> 4) & 15) | (((fifth >> (i + 16)) & 1) << 4)) - 16);
                }
            }
            case Q4_K, Q5_K -> SuperBlocks.fourOrFive(format == WeightFormat.Q5_K, bytes, offset, to, at);
            case Q6_K -> SuperBlocks.six(bytes, offset, to, at);
            default -> throw new AssertionError(format);
        }
    }

    static float half(MemorySegment bytes, long offset) {
        return Float.float16ToFloat(bytes.get(SHORT, offset));
    }
}
