package io.devicearena.cast;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.util.Objects.requireNonNull;

import io.devicearena.DType;
import java.lang.foreign.MemorySegment;

/**
 * Casts host floats to the element type of a value in an arena, and back.
 *
 * <p>{@link DType#F16} and {@link DType#BF16} are cast. Every other type is treated as {@link DType#F32}: its elements
 * are four bytes and are copied as they are.
 *
 * <p>Down, a value is rounded to the nearest, ties to even. Subnormals and the signs of zeros are kept, what is too
 * large becomes an infinity, and a NaN stays a NaN: quiet, with its sign and the top bits of its payload. Up, every
 * value is exact, and a NaN becomes quiet and keeps its sign and payload. The bits are the same on every platform,
 * interpreted or compiled.
 *
 * <p>Segments may be on the heap or native, of any size and at any alignment; the byte order is that of the platform.
 * If the two sides of a cast to or from a 16-bit type overlap in memory, the result is undefined; a copy of F32 is
 * correct. Sizes, indices and access modes are checked before anything is written. The calls with offsets
 * allocate nothing once they are warm.
 *
 * <p>A segment that is closed, or confined to another thread, throws as {@link MemorySegment#copy(MemorySegment, long,
 * MemorySegment, long, long)} does.
 *
 * <p><b>Threads:</b> safe for any thread; the caller orders calls that touch the same memory.
 *
 * <p><b>Source:</b> IEEE 754-2019, 4.3.1 (roundTiesToEven), 3.6 (binary16, binary32), 6.2 and 6.3 (NaNs and their
 * sign); bf16 is a binary32 without its lower 16 bits.
 */
public final class TypedCasts {
    /** The longest array, in elements, that every virtual machine allocates. */
    public static final int MAX_ARRAY_ELEMENTS = Integer.MAX_VALUE - 8;

    private TypedCasts() {}

    /**
     * Rounds an f32 to the nearest f16, ties to even.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * <p><b>Source:</b> IEEE 754-2019, 4.3.1 and 3.6 (binary16).
     *
     * @param value any f32, subnormals and NaNs included
     * @return the 16 bits of the f16
     */
    public static short toF16(float value) {
        return F16Format.INSTANCE.narrow(value);
    }

    /**
     * Widens an f16 to the f32 of the same value.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * <p><b>Source:</b> IEEE 754-2019, 3.6 (binary16).
     *
     * @param f16 the 16 bits of any f16
     * @return the f32; a NaN is quiet
     */
    public static float fromF16(short f16) {
        return F16Format.INSTANCE.widen(f16);
    }

    /**
     * Rounds an f32 to the nearest bf16, ties to even.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * <p><b>Source:</b> IEEE 754-2019, 4.3.1, applied to a binary32 without its lower 16 bits.
     *
     * @param value any f32, subnormals and NaNs included
     * @return the 16 bits of the bf16
     */
    public static short toBf16(float value) {
        return Bf16Format.INSTANCE.narrow(value);
    }

    /**
     * Widens a bf16 to the f32 of the same value.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * <p><b>Source:</b> bf16 is a binary32 without its lower 16 bits (IEEE 754-2019, 3.4).
     *
     * @param bf16 the 16 bits of any bf16
     * @return the f32; a NaN is quiet
     */
    public static float fromBf16(short bf16) {
        return Bf16Format.INSTANCE.widen(bf16);
    }

    /**
     * Writes floats from the start of an array to the start of a segment, as many as all three limits allow.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param dst where the elements go; its size rounded down to whole elements is the first limit
     * @param dtype the element type of {@code dst}
     * @param src the floats; its length is the second limit
     * @param maxElements the third limit, 0 or more
     * @return the number of elements written
     * @throws IllegalArgumentException if {@code maxElements} is negative
     * @throws IllegalArgumentException if {@code dst} is read-only
     */
    public static long writeTypedFromF32(MemorySegment dst, DType dtype, float[] src, long maxElements) {
        requireArguments(dst, dtype, src);
        requireNotNegative("maxElements", maxElements, "elements");
        long elements = Math.min(Math.min(maxElements, src.length), dst.byteSize() / width(dtype));
        write(dst, 0, dtype, src, 0, (int) elements);
        return elements;
    }

    /**
     * Writes floats from the start of a segment to the start of another, as many as all three limits allow.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param dst where the elements go; its size rounded down to whole elements is the first limit
     * @param dtype the element type of {@code dst}
     * @param src the f32 elements; its size rounded down to whole elements is the second limit
     * @param maxElements the third limit, 0 or more
     * @return the number of elements written
     * @throws IllegalArgumentException if {@code maxElements} is negative
     * @throws IllegalArgumentException if {@code dst} is read-only
     */
    public static long writeTypedFromF32(MemorySegment dst, DType dtype, MemorySegment src, long maxElements) {
        requireArguments(dst, dtype, src);
        requireNotNegative("maxElements", maxElements, "elements");
        long elements = Math.min(Math.min(maxElements, src.byteSize() / Float.BYTES), dst.byteSize() / width(dtype));
        write(dst, 0, dtype, src, 0, elements);
        return elements;
    }

    /**
     * Reads elements from the start of a segment into a new array.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param src the elements
     * @param dtype the element type of {@code src}
     * @param n how many elements to read at most, 0 or more; {@code src} may hold fewer
     * @return the floats, as many as were read
     * @throws IllegalArgumentException if {@code n} is negative
     * @throws IllegalArgumentException if there are more elements to read than an array can hold
     */
    public static float[] readTypedToF32(MemorySegment src, DType dtype, long n) {
        requireNonNull(src, "src");
        requireNonNull(dtype, "dtype");
        requireNotNegative("n", n, "elements");
        long elements = Math.min(n, src.byteSize() / width(dtype));
        if (elements > MAX_ARRAY_ELEMENTS) {
            throw new IllegalArgumentException("n: expected at most " + MAX_ARRAY_ELEMENTS + " elements, got "
                    + elements + ", read them into a segment instead");
        }
        float[] floats = new float[(int) elements];
        read(src, 0, dtype, floats, 0, floats.length);
        return floats;
    }

    /**
     * Reads elements from the start of a segment to the start of an array, until one of them ends.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param src the elements; a part of one at its end is left out
     * @param dtype the element type of {@code src}
     * @param dst where the floats go
     * @return the number of elements read
     */
    public static long readTypedToF32(MemorySegment src, DType dtype, float[] dst) {
        requireArguments(dst, dtype, src);
        long elements = Math.min(dst.length, src.byteSize() / width(dtype));
        read(src, 0, dtype, dst, 0, (int) elements);
        return elements;
    }

    /**
     * Reads elements from the start of a segment to the start of another, until one of them ends.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param src the elements; a part of one at its end is left out
     * @param dtype the element type of {@code src}
     * @param dst where the f32 elements go; a part of one at its end is left alone
     * @return the number of elements read
     * @throws IllegalArgumentException if {@code dst} is read-only
     */
    public static long readTypedToF32(MemorySegment src, DType dtype, MemorySegment dst) {
        requireArguments(dst, dtype, src);
        long elements = Math.min(dst.byteSize() / Float.BYTES, src.byteSize() / width(dtype));
        read(src, 0, dtype, dst, 0, elements);
        return elements;
    }

    /**
     * Writes floats from an array to an offset in a segment.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param dst where the elements go
     * @param dstOffset the first byte to write, 0 or more, at any alignment
     * @param dtype the element type of {@code dst}
     * @param src the floats
     * @param srcIndex the first float to read, 0 or more
     * @param elements how many elements to write, 0 or more
     * @throws IllegalArgumentException if an offset, index or number is negative, or one side is too short
     * @throws IllegalArgumentException if {@code dst} is read-only
     */
    public static void write(MemorySegment dst, long dstOffset, DType dtype, float[] src, int srcIndex, int elements) {
        requireArguments(dst, dtype, src);
        checkSegment("dst", "dstOffset", dst, dstOffset, elements, dtype);
        checkArray("src", "srcIndex", src, srcIndex, elements);
        checkWritable(dst);
        switch (dtype) {
            case F16 -> F16Format.INSTANCE.write(dst, dstOffset, src, srcIndex, elements);
            case BF16 -> Bf16Format.INSTANCE.write(dst, dstOffset, src, srcIndex, elements);
            default -> MemorySegment.copy(src, srcIndex, dst, JAVA_FLOAT_UNALIGNED, dstOffset, elements);
        }
    }

    /**
     * Writes floats from an offset in a segment to an offset in another.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param dst where the elements go
     * @param dstOffset the first byte to write, 0 or more, at any alignment
     * @param dtype the element type of {@code dst}
     * @param src the f32 elements
     * @param srcOffset the first byte to read, 0 or more, at any alignment
     * @param elements how many elements to write, 0 or more
     * @throws IllegalArgumentException if an offset or number is negative, or one side is too short
     * @throws IllegalArgumentException if {@code dst} is read-only
     */
    public static void write(
            MemorySegment dst, long dstOffset, DType dtype, MemorySegment src, long srcOffset, long elements) {
        requireArguments(dst, dtype, src);
        checkSegment("dst", "dstOffset", dst, dstOffset, elements, dtype);
        checkSegment("src", "srcOffset", src, srcOffset, elements, DType.F32);
        checkWritable(dst);
        switch (dtype) {
            case F16 -> F16Format.INSTANCE.write(dst, dstOffset, src, srcOffset, elements);
            case BF16 -> Bf16Format.INSTANCE.write(dst, dstOffset, src, srcOffset, elements);
            default -> MemorySegment.copy(src, srcOffset, dst, dstOffset, elements * Float.BYTES);
        }
    }

    /**
     * Reads elements from an offset in a segment to an index in an array.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param src the elements
     * @param srcOffset the first byte to read, 0 or more, at any alignment
     * @param dtype the element type of {@code src}
     * @param dst where the floats go
     * @param dstIndex the first float to write, 0 or more
     * @param elements how many elements to read, 0 or more
     * @throws IllegalArgumentException if an offset, index or number is negative, or one side is too short
     */
    public static void read(MemorySegment src, long srcOffset, DType dtype, float[] dst, int dstIndex, int elements) {
        requireArguments(dst, dtype, src);
        checkSegment("src", "srcOffset", src, srcOffset, elements, dtype);
        checkArray("dst", "dstIndex", dst, dstIndex, elements);
        switch (dtype) {
            case F16 -> F16Format.INSTANCE.read(src, srcOffset, dst, dstIndex, elements);
            case BF16 -> Bf16Format.INSTANCE.read(src, srcOffset, dst, dstIndex, elements);
            default -> MemorySegment.copy(src, JAVA_FLOAT_UNALIGNED, srcOffset, dst, dstIndex, elements);
        }
    }

    /**
     * Reads elements from an offset in a segment to an offset in another.
     *
     * <p><b>Threads:</b> safe for any thread.
     *
     * @param src the elements
     * @param srcOffset the first byte to read, 0 or more, at any alignment
     * @param dtype the element type of {@code src}
     * @param dst where the f32 elements go
     * @param dstOffset the first byte to write, 0 or more, at any alignment
     * @param elements how many elements to read, 0 or more
     * @throws IllegalArgumentException if an offset or number is negative, or one side is too short
     * @throws IllegalArgumentException if {@code dst} is read-only
     */
    public static void read(
            MemorySegment src, long srcOffset, DType dtype, MemorySegment dst, long dstOffset, long elements) {
        requireArguments(dst, dtype, src);
        checkSegment("src", "srcOffset", src, srcOffset, elements, dtype);
        checkSegment("dst", "dstOffset", dst, dstOffset, elements, DType.F32);
        checkWritable(dst);
        switch (dtype) {
            case F16 -> F16Format.INSTANCE.read(src, srcOffset, dst, dstOffset, elements);
            case BF16 -> Bf16Format.INSTANCE.read(src, srcOffset, dst, dstOffset, elements);
            default -> MemorySegment.copy(src, srcOffset, dst, dstOffset, elements * Float.BYTES);
        }
    }

    private static void requireArguments(Object dst, DType dtype, Object src) {
        requireNonNull(dst, "dst");
        requireNonNull(dtype, "dtype");
        requireNonNull(src, "src");
    }

    private static int width(DType dtype) {
        return dtype == DType.F16 || dtype == DType.BF16 ? Short.BYTES : Float.BYTES;
    }

    private static void requireNotNegative(String subject, long value, String unit) {
        if (value < 0) {
            throw new IllegalArgumentException(subject + ": expected 0 " + unit + " or more, got " + value);
        }
    }

    private static void checkWritable(MemorySegment dst) {
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("dst: expected a writable segment, got a read-only one");
        }
    }

    private static void checkArray(String subject, String indexName, float[] array, int index, int elements) {
        requireNotNegative(indexName, index, "elements");
        if (elements > array.length - index) {
            throw new IllegalArgumentException(subject + ": expected " + elements + " elements from index " + index
                    + ", got an array of " + array.length + " elements");
        }
    }

    private static void checkSegment(
            String subject, String offsetName, MemorySegment segment, long offset, long elements, DType dtype) {
        requireNotNegative("elements", elements, "elements");
        requireNotNegative(offsetName, offset, "bytes");
        int width = width(dtype);
        // a division, because the product may overflow; an offset past the end makes it negative or 0
        if (elements > (segment.byteSize() - offset) / width || offset > segment.byteSize()) {
            throw new IllegalArgumentException(subject + ": expected " + elements + " elements of " + width
                    + " bytes from byte " + offset + ", got a segment of " + segment.byteSize() + " bytes");
        }
    }
}
