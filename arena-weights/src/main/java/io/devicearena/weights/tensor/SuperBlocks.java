package io.devicearena.weights.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** Blocks of 256 elements in parts of 16 or 32, whose scales are integers times a scale of the whole block. */
final class SuperBlocks {
    private static final int PART = 32;

    private SuperBlocks() {}

    private static int unsigned(MemorySegment blocks, long at) {
        return blocks.get(JAVA_BYTE, at) & 255;
    }

    /** The scale of a part: 6 bits of the 12 bytes that hold eight scales and eight minima. */
    private static int scale(MemorySegment blocks, long scales, int part) {
        if (part < 4) {
            return unsigned(blocks, scales + part) & 63;
        }
        return (unsigned(blocks, scales + part + 4) & 15) | (unsigned(blocks, scales + part - 4) >> 6 << 4);
    }

    /** The minimum of a part, from the same bytes. */
    private static int minimum(MemorySegment blocks, long scales, int part) {
        if (part < 4) {
            return unsigned(blocks, scales + part + 4) & 63;
        }
        return (unsigned(blocks, scales + part + 4) >> 4) | (unsigned(blocks, scales + part) >> 6 << 4);
    }

    static void decodeQ4K(MemorySegment blocks, long at, float[] floats, int first) {
        decodeWithMinima(blocks, at, 0, at + 16, floats, first);
    }

    static void decodeQ5K(MemorySegment blocks, long at, float[] floats, int first) {
        decodeWithMinima(blocks, at, at + 16, at + 48, floats, first);
    }

    /** Two parts share 32 bytes: lower halves, then upper. Where there is a fifth bit, part n has bit n of 32 bytes. */
    private static void decodeWithMinima(
            MemorySegment blocks, long at, long fifth, long low, float[] floats, int first) {
        float scale = LegacyBlocks.f16(blocks, at);
        float least = LegacyBlocks.f16(blocks, at + 2);
        for (int part = 0; part < 8; part++) {
            float factor = scale * scale(blocks, at + 4, part);
            float offset = least * minimum(blocks, at + 4, part);
            int shared = part / 2 * PART;
            int shift = part % 2 * 4;
            for (int i = 0; i < PART; i++) {
                int bits = unsigned(blocks, low + shared + i) >> shift & 15;
                if (fifth > 0) {
                    bits |= (unsigned(blocks, fifth + i) >> part & 1) << 4;
                }
                floats[first + part * PART + i] = factor * bits - offset;
            }
        }
    }

    /** Halves of 128 elements, each in four parts: 4 low bits from 64 bytes, 2 high bits from 32 bytes. */
    static void decodeQ6K(MemorySegment blocks, long at, float[] floats, int first) {
        float scale = LegacyBlocks.f16(blocks, at + 208);
        for (int i = 0; i < 256; i++) {
            int half = i / 128;
            int part = i / PART % 4;
            int lowByte = half * 64 + part % 2 * PART + i % PART;
            int highByte = 128 + half * PART + i % PART;
            int scaleByte = 192 + i / 16;
            int low = unsigned(blocks, at + lowByte) >> (part / 2 * 4) & 15;
            int high = unsigned(blocks, at + highByte) >> (part * 2) & 3;
            float factor = scale * blocks.get(JAVA_BYTE, at + scaleByte);
            floats[first + i] = factor * ((low | (high << 4)) - 32);
        }
    }
}
