package io.devicearena.conformance.oracle;

import io.devicearena.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/** Bytes and floats to move: the same on every run, unless {@code -Ddevicearena.seed=N} sets another seed. */
public final class TestData {

    /** The types that an arena reads and writes as host floats. */
    public static final List<DType> HOST_FLOATS = List.of(DType.F32, DType.F16, DType.BF16);

    private TestData() {}

    /** The seed of the property, or a test's own where the property is not set. */
    public static long seed(long own) {
        return Long.getLong("devicearena.seed", own);
    }

    public static SplittableRandom random(long seed) {
        return new SplittableRandom(seed(seed));
    }

    /** Random bytes of a fixed seed. */
    public static byte[] bytes(long seed, int count) {
        byte[] bytes = new byte[count];
        random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Random bytes of a fixed seed, of which only some bits are set. */
    public static byte[] bytes(long seed, int count, int bits) {
        byte[] bytes = bytes(seed, count);
        for (int i = 0; i < count; i++) {
            bytes[i] &= (byte) bits;
        }
        return bytes;
    }

    /** The same float, so many times. */
    public static float[] floats(int count, float value) {
        return floats(count, i -> value);
    }

    public static float[] floats(int count, IntToDoubleFunction element) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = (float) element.applyAsDouble(i);
        }
        return floats;
    }

    public static byte[] filled(int count, int value) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    /** Floats that a type holds exactly, all different up to 30,000 of them. */
    public static float[] exact(DType dtype, int count) {
        return floats(count, i -> switch (dtype) {
            case F16 -> Float.float16ToFloat((short) (0x0400 + i % 0x7800)); // no subnormals, no NaNs
            case BF16 -> Float.intBitsToFloat((0x0080 + i % 0x7F00) << 16);
            default -> i + 0.5f;
        });
    }

    /** Memory of a caller. */
    public static MemorySegment memory(byte... bytes) {
        return MemorySegment.ofArray(bytes);
    }
}
