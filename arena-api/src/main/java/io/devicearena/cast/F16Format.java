package io.devicearena.cast;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * IEEE 754 binary16.
 *
 * <p>{@link Float#floatToFloat16} and {@link Float#float16ToFloat} become one instruction a vector, between {@code
 * float[]} and {@code short[]} or native memory. The JDK does not specify the payload of a NaN. On
 * processors with such an instruction it is the one that we promise, and values are converted in place; elsewhere each
 * value is tested.
 *
 * <p>Threads: immutable.
 */
final class F16Format implements NarrowFormat {
    static final F16Format INSTANCE = new F16Format();

    /**
     * Whether the conversions of this JVM treat NaNs as we promise; those of one JVM agree, interpreted or compiled.
     */
    private static final boolean JDK_NANS_FIT = jdkNansFit();

    /** Before the second compiler has compiled a loop, this takes half the time of {@link MemorySegment#set}. */
    private static final VarHandle HALF = JAVA_SHORT_UNALIGNED.varHandle();

    private F16Format() {}

    private static boolean jdkNansFit() {
        boolean fit = true;
        for (int bits : new int[] {0x7F800001, 0x7FA54321, 0x7FC00000, 0x7FFFFFFF, 0xFF801000, 0xFFFEDCBA}) {
            float nan = Float.intBitsToFloat(bits);
            fit &= Float.floatToFloat16(nan) == nanToF16(nan);
        }
        for (int bits : new int[] {0x7C01, 0x7D55, 0x7E00, 0x7FFF, 0xFC10, 0xFEED}) {
            short nan = (short) bits;
            fit &= Float.floatToRawIntBits(Float.float16ToFloat(nan)) == Float.floatToRawIntBits(nanFromF16(nan));
        }
        return fit;
    }

    @Override
    public short narrow(float value) {
        return Float.isNaN(value) ? nanToF16(value) : Float.floatToFloat16(value);
    }

    private static short nanToF16(float nan) {
        int bits = Float.floatToRawIntBits(nan);
        return (short) (((bits >>> 16) & 0x8000) | 0x7C00 | 0x0200 | ((bits & 0x007FFFFF) >>> 13));
    }

    @Override
    public float widen(short f16) {
        return isNan(f16) ? nanFromF16(f16) : Float.float16ToFloat(f16);
    }

    private static boolean isNan(short f16) {
        return (f16 & 0x7FFF) > 0x7C00;
    }

    private static float nanFromF16(short nan) {
        return Float.intBitsToFloat(((nan & 0x8000) << 16) | 0x7F800000 | 0x00400000 | ((nan & 0x03FF) << 13));
    }

    @Override
    public void write(CastBlock block, float[] src, int srcIndex, MemorySegment dst, long dstOffset, int n) {
        if (JDK_NANS_FIT && NativeMemory.is(dst)) {
            toNative(src, srcIndex, dst, dstOffset, n);
        } else {
            toHalves(src, srcIndex, block, n);
            MemorySegment.copy(block.halves, 0, dst, JAVA_SHORT_UNALIGNED, dstOffset, n);
        }
    }

    @Override
    public void write(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n) {
        MemorySegment.copy(src, JAVA_FLOAT_UNALIGNED, srcOffset, block.floats, 0, n);
        write(block, block.floats, 0, dst, dstOffset, n);
    }

    @Override
    public void read(CastBlock block, MemorySegment src, long srcOffset, float[] dst, int dstIndex, int n) {
        if (JDK_NANS_FIT && NativeMemory.is(src)) {
            fromNative(src, srcOffset, dst, dstIndex, n);
        } else {
            MemorySegment.copy(src, JAVA_SHORT_UNALIGNED, srcOffset, block.halves, 0, n);
            fromHalves(block, dst, dstIndex, n);
        }
    }

    @Override
    public void read(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n) {
        // vector code cannot store widened floats to native memory (JDK 25)
        read(block, src, srcOffset, block.floats, 0, n);
        MemorySegment.copy(block.floats, 0, dst, JAVA_FLOAT_UNALIGNED, dstOffset, n);
    }

    private static void toNative(float[] src, int srcIndex, MemorySegment dst, long dstOffset, int n) {
        if (!NativeMemory.is(dst)) {
            throw new AssertionError("checked before");
        }
        for (int i = 0; i < n; i++) {
            HALF.set(dst, dstOffset + 2L * i, Float.floatToFloat16(src[srcIndex + i]));
        }
    }

    private static void fromNative(MemorySegment src, long srcOffset, float[] dst, int dstIndex, int n) {
        if (!NativeMemory.is(src)) {
            throw new AssertionError("checked before");
        }
        for (int i = 0; i < n; i++) {
            dst[dstIndex + i] = Float.float16ToFloat((short) HALF.get(src, srcOffset + 2L * i));
        }
    }

    private void toHalves(float[] src, int srcIndex, CastBlock block, int n) {
        short[] halves = block.halves;
        if (JDK_NANS_FIT) {
            for (int i = 0; i < n; i++) {
                halves[i] = Float.floatToFloat16(src[srcIndex + i]);
            }
        } else {
            for (int i = 0; i < n; i++) {
                halves[i] = narrow(src[srcIndex + i]);
            }
        }
    }

    private void fromHalves(CastBlock block, float[] dst, int dstIndex, int n) {
        short[] halves = block.halves;
        if (JDK_NANS_FIT) {
            for (int i = 0; i < n; i++) {
                dst[dstIndex + i] = Float.float16ToFloat(halves[i]);
            }
        } else {
            for (int i = 0; i < n; i++) {
                dst[dstIndex + i] = widen(halves[i]);
            }
        }
    }
}
