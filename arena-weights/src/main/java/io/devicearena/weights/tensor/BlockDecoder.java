package io.devicearena.weights.tensor;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What the bytes of a block stand for, element by element.
 *
 * <p>Source: the block layouts of {@code ggml-common.h} and the reference rows of {@code ggml-quants.c} of GGML.
 * Products and differences are rounded to f32 one by one, as there.
 */
@FunctionalInterface
interface BlockDecoder {
    /**
     * Writes the elements of one block.
     *
     * @param blocks where the block is
     * @param at bytes from its start to the block
     * @param floats gets the elements
     * @param first where they begin
     */
    void decode(MemorySegment blocks, long at, float[] floats, int first);

    /** Returns the decoder of a type, or null. A file is opened without any: each costs time when it is first named. */
    static @Nullable BlockDecoder of(TensorType type) {
        return switch (type) {
            case Q4_0 -> LegacyBlocks::decodeQ40;
            case Q4_1 -> LegacyBlocks::decodeQ41;
            case Q5_0 -> LegacyBlocks::decodeQ50;
            case Q5_1 -> LegacyBlocks::decodeQ51;
            case Q8_0 -> LegacyBlocks::decodeQ80;
            case Q4_K -> SuperBlocks::decodeQ4K;
            case Q5_K -> SuperBlocks::decodeQ5K;
            case Q6_K -> SuperBlocks::decodeQ6K;
            default -> null;
        };
    }
}
