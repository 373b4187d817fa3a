package io.devicearena.conformance.oracle;

import io.devicearena.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/**
 * Host floats to the bytes of a type and back, as the specification says, without the casts of the library.
 *
 * <p><b>Source:</b> IEEE 754-2019, 4.3.1 (ties to even); NaNs by the table of the specification.
 */
public final class Casts {
    private static final int INFINITY = 0x7F80_0000;

    private Casts() {}

    /** What the arena holds after all of some floats were written. */
    public static byte[] encoded(DType dtype, float[] floats) {
        return encoded(dtype, MemorySegment.ofArray(floats), floats.length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** What reading bytes of an arena gives. */
    public static float[] decoded(DType dtype, byte[] bytes) {
        return decoded(dtype, MemorySegment.ofArray(bytes)).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    /** What the arena holds after floats were written. */
    public static MemorySegment encoded(DType dtype, MemorySegment floats, long count) {
        MemorySegment first = floats.asSlice(0, count * Float.BYTES);
        if (dtype == DType.F32) {
            return first;
        }
        int[] bits = first.toArray(ValueLayout.JAVA_INT_UNALIGNED);
        short[] halves = new short[bits.length];
        boolean isF16 = dtype == DType.F16;
        for (int i = 0; i < halves.length; i++) {
            halves[i] = (short) (isF16 ? f16(bits[i]) : bf16(bits[i]));
        }
        return MemorySegment.ofArray(halves);
    }

    /** What a read returns for bytes of the arena. */
    public static MemorySegment decoded(DType dtype, MemorySegment bytes) {
        if (dtype == DType.F32) {
            return bytes;
        }
        short[] halves = bytes.toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
        int[] bits = new int[halves.length];
        boolean isF16 = dtype == DType.F16;
        for (int i = 0; i < bits.length; i++) {
            bits[i] = isF16 ? ofF16(halves[i] & 0xFFFF) : ofBf16(halves[i]);
        }
        return MemorySegment.ofArray(bits);
    }

    /**
     * Every number of a type, the NaNs, and the floats at and beside every place where rounding changes its mind: half
     * way between neighbours. In F16 such a float ends with bit 12, in BF16 with bit 15, and among the subnormals of
     * F16 with the bits that {@code Float} gives.
     */
    public static int[] beside(DType dtype) {
        int tie = dtype == DType.F16 ? 1 << 12 : 1 << 15;
        MemorySegment numbers = decoded(dtype, patterns());
        IntStream ties = IntStream.range(0, 1 << 11)
                .map(half -> Float.floatToRawIntBits(half * 0x1p-25f))
                .flatMap(bits -> IntStream.of(bits, bits | Integer.MIN_VALUE));
        return IntStream.concat(IntStream.of(numbers.toArray(ValueLayout.JAVA_INT_UNALIGNED)), ties)
                .flatMap(bits -> IntStream.of(bits, bits - 1, bits + 1, bits + tie - 1, bits + tie, bits + tie + 1))
                .toArray();
    }

    /** All of 16 bits. */
    public static MemorySegment patterns() {
        short[] all = new short[1 << 16];
        for (int i = 0; i < all.length; i++) {
            all[i] = (short) i;
        }
        return MemorySegment.ofArray(all);
    }

    private static boolean isNan(int bits) {
        return (bits & 0x7FFF_FFFF) > INFINITY;
    }

    private static int f16(int bits) {
        return isNan(bits)
                ? ((bits >> 16) & 0x8000) | 0x7E00 | ((bits >> 13) & 0x3FF)
                : Float.floatToFloat16(Float.intBitsToFloat(bits));
    }

    private static int bf16(int bits) {
        int odd = (bits >>> 16) & 1;
        return isNan(bits) ? (bits >>> 16) | 0x40 : (bits + 0x7FFF + odd) >>> 16;
    }

    private static int ofF16(int half) {
        return (half & 0x7FFF) > 0x7C00
                ? ((half & 0x8000) << 16) | INFINITY | 0x40_0000 | ((half & 0x3FF) << 13)
                : Float.floatToRawIntBits(Float.float16ToFloat((short) half));
    }

    private static int ofBf16(int half) {
        int bits = half << 16;
        return isNan(bits) ? bits | 0x40_0000 : bits;
    }
}
