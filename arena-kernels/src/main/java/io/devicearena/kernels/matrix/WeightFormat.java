package io.devicearena.kernels.matrix;

/**
 * How the weights of a matrix are stored: as floats, or in blocks that share a scale, as GGUF files pack them.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the block layouts are those of GGML's {@code ggml-common.h}.
 */
public enum WeightFormat {
    /** IEEE 754 binary32. */
    F32(1, 4),
    /** IEEE 754 binary16. */
    F16(1, 2),
    /** The f16 mirror of a value of F32, in the arena's shadow. */
    F16_SHADOW(1, 4),
    /** The upper half of a binary32. */
    BF16(1, 2),
    /** 8 bits an element, a scale for 32. */
    Q8_0(32, 34),
    /** 4 bits an element, a scale for 32. */
    Q4_0(32, 18),
    /** 5 bits an element, a scale for 32. */
    Q5_0(32, 22),
    /** 4 bits an element, super-blocks of 256. */
    Q4_K(256, 144),
    /** 5 bits an element, super-blocks of 256. */
    Q5_K(256, 176),
    /** 6 bits an element, super-blocks of 256. */
    Q6_K(256, 210);

    private final int blockElements;
    private final int blockBytes;

    WeightFormat(int blockElements, int blockBytes) {
        this.blockElements = blockElements;
        this.blockBytes = blockBytes;
    }

    /** {@return the elements of a block, 1, 32 or 256} */
    public int blockElements() {
        return blockElements;
    }

    /** {@return the bytes of a block in the arena} */
    public int blockBytes() {
        return blockBytes;
    }

    /**
     * Returns the bytes of a row in the arena.
     *
     * @param columns the elements of the row, a multiple of {@link #blockElements}
     * @return its bytes
     * @throws IllegalArgumentException if a row has no whole number of blocks
     */
    public long rowBytes(int columns) {
        if (columns < 0 || columns % blockElements != 0) {
            throw new IllegalArgumentException(
                    "columns: expected a multiple of " + blockElements + " for " + this + ", got " + columns);
        }
        return (long) columns / blockElements * blockBytes;
    }
}
