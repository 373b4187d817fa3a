package io.devicearena.weights.internal.blocks;

import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * What the bytes of a block stand for, element by element.
 *
 * <p>Source: the block layouts of {@code ggml-common.h} and the reference rows of {@code ggml-quants.c} of GGML.
 * Products and differences are rounded to f32 one by one, as there.
 */
public interface BlockFormat {
    /**
     * Writes the elements of one block.
     *
     * @param blocks where the block is
     * @param at bytes from its start to the block
     * @param floats gets the elements
     * @param first where they begin
     */
    void decode(MemorySegment blocks, long at, float[] floats, int first);

    /** Returns the format of a type, or empty if it is none that can be decoded. */
    static Optional<BlockFormat> of(TensorType type) {
        return Optional.ofNullable(
                switch (type) {
                    case Q4_0 -> LegacyBlocks::decodeQ40;
                    case Q4_1 -> LegacyBlocks::decodeQ41;
                    case Q5_0 -> LegacyBlocks::decodeQ50;
                    case Q5_1 -> LegacyBlocks::decodeQ51;
                    case Q8_0 -> LegacyBlocks::decodeQ80;
                    case Q4_K -> SuperBlocks::decodeQ4K;
                    case Q5_K -> SuperBlocks::decodeQ5K;
                    case Q6_K -> SuperBlocks::decodeQ6K;
                    default -> null;
                });
    }
}
