package io.devicearena.conformance;

import io.devicearena.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Bytes and floats to move: the same on every run, unless {@code -Ddevicearena.seed=N} says otherwise. */
final class Data {
    private static final int F16_INFINITY = 0x7C00;
    private static final int BF16_INFINITY = 0x7F80;

    private Data() {}

    /** The seed to use in place of a test's own, where the property names one. */
    static long seed(long own) {
        return Long.getLong("devicearena.seed", own);
    }

    static SplittableRandom random(long seed) {
        return new SplittableRandom(seed(seed));
    }

    static byte[] bytes(SplittableRandom random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Random bytes of a fixed seed. */
    static byte[] bytes(long seed, int count) {
        return bytes(random(seed), count);
    }

    static byte[] filled(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Floats that a type holds exactly, all different up to 30,000 of them. */
    static float[] exact(DType dtype, int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = switch (dtype) {
                case F16 -> Float.float16ToFloat((short) (1 + i % (F16_INFINITY - 1)));
                case BF16 -> Float.intBitsToFloat((1 + i % (BF16_INFINITY - 1)) << 16);
                default -> i + 0.5f;
            };
        }
        return floats;
    }

    /** What the arena holds after {@link #exact} floats were written. */
    static byte[] encoded(DType dtype, float[] exact) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(exact.length, dtype.bytes()))
                .order(ByteOrder.nativeOrder());
        for (float value : exact) {
            switch (dtype) {
                case F16 -> bytes.putShort(Float.floatToFloat16(value));
                case BF16 -> bytes.putShort((short) (Float.floatToRawIntBits(value) >>> 16));
                default -> bytes.putInt(Float.floatToRawIntBits(value));
            }
        }
        return bytes.array();
    }
}
