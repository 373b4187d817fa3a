package io.devicearena.conformance;

import io.devicearena.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Bytes and floats to move: the same on every run, unless {@code -Ddevicearena.seed=N} sets another seed. */
final class TestData {

    /** The types that an arena reads and writes as host floats. */
    static final List<DType> HOST_FLOATS = List.of(DType.F32, DType.F16, DType.BF16);

    /** All other types. */
    static final List<DType> OTHERS =
            Arrays.stream(DType.values()).filter(type -> !type.isHostFloat()).toList();

    private TestData() {}

    /** The seed of the property, or a test's own where the property is not set. */
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

    /** Random floats from -scale/2 to scale/2, rarely subnormal in any type. */
    static float[] floats(SplittableRandom random, int count, float scale) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = (random.nextFloat() - 0.5f) * scale;
        }
        return floats;
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
                case F16 -> Float.float16ToFloat((short) normal(CastOracle.F16, i));
                case BF16 -> Float.intBitsToFloat(normal(CastOracle.BF16, i) << 16);
                default -> i + 0.5f;
            };
        }
        return floats;
    }

    /** No subnormals: casts have clauses of their own. */
    private static int normal(CastOracle type, int i) {
        return type.smallestNormal + i % (type.infinity - type.smallestNormal);
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
