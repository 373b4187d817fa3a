package io.devicearena.weights.tensor;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * How a file stores the elements of a tensor: one by one, or in blocks of several that share a scale. Kernels read the
 * same types from an arena.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the types of safetensors 0.6, of ONNX 1.23 and of GGML, whose block layouts are those of {@code
 * ggml-common.h}.
 */
public enum TensorType {
    /** Truth value. */
    BOOL(DType.BOOL),
    /** Unsigned integer of 1 byte. */
    U8(DType.U8),
    /** Signed integer of 1 byte. */
    I8(DType.I8),
    /** Unsigned integer of 2 bytes. */
    U16(DType.U16),
    /** Signed integer of 2 bytes. */
    I16(DType.I16),
    /** Unsigned integer of 4 bytes. */
    U32(DType.U32),
    /** Signed integer of 4 bytes. */
    I32(DType.I32),
    /** Unsigned integer of 8 bytes. */
    U64(DType.U64),
    /** Signed integer of 8 bytes. */
    I64(DType.I64),
    /** IEEE 754 binary16. */
    F16(DType.F16),
    /** The upper half of a binary32. */
    BF16(DType.BF16),
    /** IEEE 754 binary32. */
    F32(DType.F32),
    /** IEEE 754 binary64. */
    F64(DType.F64),
    /** Complex number of two binary32. */
    C64(1, 8),
    /** Float of 8 bits: 5 of exponent, 2 of fraction. */
    F8_E5M2(1, 1),
    /** Float of 8 bits: 4 of exponent, 3 of fraction. */
    F8_E4M3(1, 1),
    /** Float of 8 bits, all of exponent: a scale. */
    F8_E8M0(1, 1),
    /** Float of 8 bits: 4 of exponent, 3 of fraction, without infinities and negative zero. */
    F8_E4M3FNUZ(1, 1),
    /** Float of 8 bits: 5 of exponent, 2 of fraction, without infinities and negative zero. */
    F8_E5M2FNUZ(1, 1),
    /** Float of 6 bits: 2 of exponent, 3 of fraction; four in 3 bytes. */
    F6_E2M3(4, 3),
    /** Float of 6 bits: 3 of exponent, 2 of fraction; four in 3 bytes. */
    F6_E3M2(4, 3),
    /** Float of 4 bits; two in a byte. */
    F4(2, 1),
    /** Complex number of two binary64. */
    C128(1, 16),
    /** Unsigned integer of 4 bits; two in a byte, the first in the lower half. */
    U4(2, 1),
    /** Signed integer of 4 bits; two in a byte, the first in the lower half. */
    I4(2, 1),
    /** Unsigned integer of 2 bits; four in a byte, the first in the lowest bits. */
    U2(4, 1),
    /** Signed integer of 2 bits; four in a byte, the first in the lowest bits. */
    I2(4, 1),
    /** 4 bits an element, a scale for 32. */
    Q4_0(32, 18),
    /** 4 bits an element, a scale and a minimum for 32. */
    Q4_1(32, 20),
    /** 5 bits an element, a scale for 32. */
    Q5_0(32, 22),
    /** 5 bits an element, a scale and a minimum for 32. */
    Q5_1(32, 24),
    /** 8 bits an element, a scale for 32. */
    Q8_0(32, 34),
    /** 8 bits an element, a scale and a sum for 32. */
    Q8_1(32, 40),
    /** 2 bits an element, super-blocks of 256. */
    Q2_K(256, 84),
    /** 3 bits an element, super-blocks of 256. */
    Q3_K(256, 110),
    /** 4 bits an element, super-blocks of 256. */
    Q4_K(256, 144),
    /** 5 bits an element, super-blocks of 256. */
    Q5_K(256, 176),
    /** 6 bits an element, super-blocks of 256. */
    Q6_K(256, 210),
    /** 8 bits an element, super-blocks of 256. */
    Q8_K(256, 292),
    /** Code book, 2.06 bits an element. */
    IQ2_XXS(256, 66),
    /** Code book, 2.31 bits an element. */
    IQ2_XS(256, 74),
    /** Code book, 3.06 bits an element. */
    IQ3_XXS(256, 98),
    /** Code book, 1.56 bits an element. */
    IQ1_S(256, 50),
    /** 4 bits an element that choose from a table, a scale for 32. */
    IQ4_NL(32, 18),
    /** Code book, 3.44 bits an element. */
    IQ3_S(256, 110),
    /** Code book, 2.56 bits an element. */
    IQ2_S(256, 82),
    /** 4 bits an element that choose from a table, super-blocks of 256. */
    IQ4_XS(256, 136),
    /** Code book, 1.75 bits an element. */
    IQ1_M(256, 56),
    /** Three values an element, 1.69 bits. */
    TQ1_0(256, 54),
    /** Three values an element, 2.06 bits. */
    TQ2_0(256, 66),
    /** Floats of 4 bits, an exponent for 32. */
    MXFP4(32, 17),
    /** Floats of 4 bits, a scale of 8 bits for 16. */
    NVFP4(64, 36),
    /** 1 bit an element, a scale for 128. */
    Q1_0(128, 18);

    private final int blockElements;
    private final int blockBytes;
    private final Optional<DType> dtype;

    TensorType(DType dtype) {
        this(1, dtype.bytes(), Optional.of(dtype));
    }

    TensorType(int blockElements, int blockBytes) {
        this(blockElements, blockBytes, Optional.empty());
    }

    TensorType(int blockElements, int blockBytes, Optional<DType> dtype) {
        this.blockElements = blockElements;
        this.blockBytes = blockBytes;
        this.dtype = dtype;
    }

    /** {@return the elements of one block; 1 where elements are stored one by one} */
    public int blockElements() {
        return blockElements;
    }

    /** {@return the bytes of one block} */
    public int blockBytes() {
        return blockBytes;
    }

    /** {@return the type of an arena's values that has the same bytes, or empty if there is none} */
    public Optional<DType> dtype() {
        return dtype;
    }

    /** {@return whether elements are stored in blocks} */
    public boolean isBlocked() {
        return blockElements > 1;
    }

    /**
     * {@return the bytes of a row}
     *
     * @param columns the elements of the row, a multiple of {@link #blockElements}
     * @throws IllegalArgumentException if the row has no whole number of blocks
     * @throws ArithmeticException if there are more bytes than a long counts
     */
    public long rowBytes(long columns) {
        if (columns < 0 || columns % blockElements != 0) {
            throw new IllegalArgumentException("expected rows of whole blocks of " + blockElements + " elements, as "
                    + this + " has them, got rows of " + columns);
        }
        return Math.multiplyExact(columns / blockElements, blockBytes);
    }

    /** {@return whether {@link #decode} knows the type} */
    public boolean isDecoded() {
        return BlockDecoder.of(this) != null || dtype.filter(DType::isHostFloat).isPresent();
    }

    /**
     * Decodes consecutive elements. Each is the f32 that the type's definition gives, with one rounding for each of its
     * operations.
     *
     * @param bytes where the elements are
     * @param offset where the first block begins: bytes from the start of {@code bytes}
     * @param elements how many, a multiple of {@link #blockElements}
     * @param to receives the elements
     * @param at the index of the first in {@code to}
     * @throws IllegalArgumentException if the type is not one {@link #isDecoded that is decoded}, or {@code elements}
     *     is not a multiple of the block
     * @throws IndexOutOfBoundsException if the blocks are not in {@code bytes}, or the elements do not fit
     */
    public void decode(MemorySegment bytes, long offset, int elements, float[] to, int at) {
        if (!isDecoded()) {
            throw new IllegalArgumentException("type: expected one that is decoded, got " + this);
        }
        rowBytes(elements);
        BlockDecoder decoder = BlockDecoder.of(this);
        if (decoder == null) {
            TypedCasts.read(bytes, offset, dtype.orElseThrow(), to, at, elements);
            return;
        }
        for (int block = 0; block < elements / blockElements; block++) {
            decoder.decode(bytes, offset + (long) block * blockBytes, to, at + block * blockElements);
        }
    }
}
