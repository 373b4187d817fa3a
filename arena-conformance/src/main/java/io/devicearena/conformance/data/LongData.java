package io.devicearena.conformance.data;

import io.devicearena.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.SoftReference;

/**
 * Long data in which no two aligned words of 4 bytes are equal, so that no piece of it can stand for another.
 *
 * <p><b>Threads:</b> static; safe for any thread.
 */
public final class LongData {
    /** Patterns of F16 and BF16 have so many bits beside their sign, added to the smallest normal number. */
    private static final int MAGNITUDE = 0x1FFF;

    private static final int F16_SMALLEST = 0x0400;
    private static final int BF16_SMALLEST = 0x0080;
    private static final int F32_SMALLEST = 0x0080_0000;

    /** The words, made once: they are the same for every arena. */
    private static SoftReference<int[]> known = new SoftReference<>(new int[0]);

    private LongData() {}

    /**
     * Words in an order that no counter follows.
     *
     * @param bytes how many, at least
     * @return the words, over an array of the heap that is not to be changed
     */
    public static synchronized MemorySegment words(long bytes) {
        int[] words = known.get();
        int count = Math.toIntExact((bytes + 3) / Integer.BYTES);
        if (words == null || words.length < count) {
            words = new int[count];
            for (int i = 0; i < count; i++) {
                int word = (i + 1) * 0x9E3779B1;
                words[i] = (word ^ word >>> 15) * 0x85EBCA6B; // each step can be undone: no two words are equal
            }
            known = new SoftReference<>(words);
        }
        return MemorySegment.ofArray(words);
    }

    /**
     * Elements of a type. Those of F32 are all different, pairs of the others are.
     *
     * @param dtype F32, F16 or BF16
     * @param seed another one for other elements
     * @param elements how many
     * @return normal numbers as the arena holds them, over an array of the heap
     */
    public static MemorySegment encoded(DType dtype, int seed, int elements) {
        int[] words = new int[dtype == DType.F32 ? elements : elements / 2 + 1];
        int smallest = smallest(dtype);
        if (dtype == DType.F32) {
            for (int i = 0; i < words.length; i++) {
                words[i] = smallest + (seed << 26) + i;
            }
        } else {
            for (int i = 0; i < words.length; i++) {
                int number = (i + seed) * 0x9E3779B1; // of which the low 28 bits are another one for each word
                words[i] = half(smallest, number) | half(smallest, number >>> 14) << Short.SIZE;
            }
        }
        return MemorySegment.ofArray(words).asSlice(0, (long) elements * dtype.bytes());
    }

    private static int smallest(DType dtype) {
        return switch (dtype) {
            case F16 -> F16_SMALLEST;
            case BF16 -> BF16_SMALLEST;
            default -> F32_SMALLEST;
        };
    }

    /** A normal number of F16 or BF16 for 14 bits: a sign and a magnitude. */
    private static int half(int smallest, int number) {
        return smallest + (number & MAGNITUDE) | (number & MAGNITUDE + 1) << 2;
    }

    /**
     * The same elements as host floats.
     *
     * @param dtype F32, F16 or BF16
     * @param encoded elements as the arena holds them
     * @return floats that the type holds exactly
     */
    public static float[] floats(DType dtype, MemorySegment encoded) {
        int elements = Math.toIntExact(encoded.byteSize() / dtype.bytes());
        float[] floats = new float[elements];
        if (dtype == DType.F32) {
            MemorySegment.ofArray(floats).copyFrom(encoded);
            return floats;
        }
        short[] halves = encoded.toArray(ValueLayout.JAVA_SHORT);
        if (dtype == DType.F16) {
            for (int i = 0; i < elements; i++) {
                floats[i] = Float.float16ToFloat(halves[i]);
            }
        } else {
            for (int i = 0; i < elements; i++) {
                floats[i] = Float.intBitsToFloat(halves[i] << Short.SIZE);
            }
        }
        return floats;
    }
}
