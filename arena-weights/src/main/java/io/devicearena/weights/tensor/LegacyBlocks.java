package io.devicearena.weights.tensor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.devicearena.cast.TypedCasts;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Blocks of 32 elements: a scale, for some a minimum, and the elements' bits; the lower halves of bytes come first. */
final class LegacyBlocks {
    private static final int HALF = 16;
    private static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LegacyBlocks() {}

    static float f16(MemorySegment blocks, long at) {
        return TypedCasts.fromF16(blocks.get(U16, at));
    }

    static void decodeQ40(MemorySegment blocks, long at, float[] floats, int first) {
        float scale = f16(blocks, at);
        for (int i = 0; i < HALF; i++) {
            int bits = blocks.get(JAVA_BYTE, at + 2 + i);
            floats[first + i] = ((bits & 15) - 8) * scale;
            floats[first + HALF + i] = ((bits >> 4 & 15) - 8) * scale;
        }
    }

    static void decodeQ41(MemorySegment blocks, long at, float[] floats, int first) {
        float scale = f16(blocks, at);
        float least = f16(blocks, at + 2);
        for (int i = 0; i < HALF; i++) {
            int bits = blocks.get(JAVA_BYTE, at + 4 + i);
            floats[first + i] = (bits & 15) * scale + least;
            floats[first + HALF + i] = (bits >> 4 & 15) * scale + least;
        }
    }

    static void decodeQ50(MemorySegment blocks, long at, float[] floats, int first) {
        float scale = f16(blocks, at);
        int high = blocks.get(U32, at + 2);
        for (int i = 0; i < HALF; i++) {
            int bits = blocks.get(JAVA_BYTE, at + 6 + i);
            floats[first + i] = (((bits & 15) | ((high >>> i & 1) << 4)) - 16) * scale;
            floats[first + HALF + i] = (((bits >> 4 & 15) | ((high >>> (i + HALF) & 1) << 4)) - 16) * scale;
        }
    }

    static void decodeQ51(MemorySegment blocks, long at, float[] floats, int first) {
        float scale = f16(blocks, at);
        float least = f16(blocks, at + 2);
        int high = blocks.get(U32, at + 4);
        for (int i = 0; i < HALF; i++) {
            int bits = blocks.get(JAVA_BYTE, at + 8 + i);
            floats[first + i] = ((bits & 15) | ((high >>> i & 1) << 4)) * scale + least;
            floats[first + HALF + i] = ((bits >> 4 & 15) | ((high >>> (i + HALF) & 1) << 4)) * scale + least;
        }
    }

    static void decodeQ80(MemorySegment blocks, long at, float[] floats, int first) {
        float scale = f16(blocks, at);
        for (int i = 0; i < 2 * HALF; i++) {
            floats[first + i] = blocks.get(JAVA_BYTE, at + 2 + i) * scale;
        }
    }
}
