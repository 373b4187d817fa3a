package io.devicearena.kernels.packed;

import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of rows of super-blocks of 256 elements by the Vector API. Bytes become ints in registers, whose bits are
 * taken apart there, then floats. Only {@link DirectRows} may name this class, as it is with {@link VectorRows}.
 *
 * <p>A loop must stay short: HotSpot stops inlining in a method of some hundred calls of vectors, and what it does not
 * inline makes an object for each vector. So Q6_K reads its upper bits twice instead of unpacking four runs at a time.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the block layouts are those of GGML's {@code ggml-common.h}; several small numbers in a word:
 * Warren, Hacker's Delight, 2nd edition, 2-18.
 */
final class VectorSuperBlocks {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
    private static final int LANES = INTS.length();

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The elements of a super-block. */
    private static final int BLOCK = 256;

    /** The elements whose bits lie side by side in bytes. */
    private static final int RUN = 32;

    private static final int FOUR_BYTES = TensorType.Q4_K.blockBytes();
    private static final int SIX_BYTES = TensorType.Q6_K.blockBytes();

    private VectorSuperBlocks() {}

    /** Eight groups of 32: a pair of groups in the low and high halves of 32 bytes. */
    static float four(MemorySegment bytes, long first, int blocks, float[] x) {
        FloatVector total = VectorRows.zero();
        for (int b = 0; b < blocks; b++) {
            long at = first + (long) b * FOUR_BYTES;
            float scale = VectorRows.half(bytes, at);
            float minimum = -VectorRows.half(bytes, at + 2);
            int lowScales = bytes.get(INT, at + 4);
            int lowMinima = bytes.get(INT, at + 8);
            int fours = bytes.get(INT, at + 12);
            long scales = sixes(lowScales, fours);
            long minima = sixes(lowMinima, fours >>> 4);
            for (int pair = 0; pair < 4; pair++) {
                int low = 2 * pair * Byte.SIZE;
                int high = low + Byte.SIZE;
                FloatVector lowScale = VectorRows.broadcast(scale * ((scales >>> low) & 63));
                FloatVector lowMinimum = VectorRows.broadcast(minimum * ((minima >>> low) & 63));
                FloatVector highScale = VectorRows.broadcast(scale * ((scales >>> high) & 63));
                FloatVector highMinimum = VectorRows.broadcast(minimum * ((minima >>> high) & 63));
                FloatVector sum = VectorRows.zero();
                for (int e = 0; e < RUN; e += LANES) {
                    IntVector q = ints(bytes, at + 16 + (long) RUN * pair + e);
                    int i = BLOCK * b + 2 * RUN * pair + e;
                    sum = floats(q.and(15)).fma(lowScale, lowMinimum).fma(VectorRows.floats(x, i), sum);
                    sum = floats(q.lanewise(VectorOperators.LSHR, 4))
                            .fma(highScale, highMinimum)
                            .fma(VectorRows.floats(x, i + RUN), sum);
                }
                total = total.add(sum);
            }
        }
        return total.reduceLanes(VectorOperators.ADD);
    }

    /**
     * Eight numbers of 6 bits, each in a byte. Four are whole in the first word. Of the others it has the upper two
     * bits, in its own upper bits, and the second word has the lower four.
     */
    private static long sixes(int word, int fours) {
        int high = (fours & 0x0f0f0f0f) | ((word >>> 2) & 0x30303030);
        return ((long) high << Integer.SIZE) | (word & 0x3f3f3f3f);
    }

    /**
     * Four runs of 32 bytes, each with the lower four bits of two runs of elements; two runs of 32 bytes, each with the
     * upper two bits of four runs of elements; a scale for 16.
     */
    static float six(MemorySegment bytes, long first, int blocks, float[] x) {
        FloatVector total = VectorRows.zero();
        for (int b = 0; b < blocks; b++) {
            long at = first + (long) b * SIX_BYTES;
            float scale = VectorRows.half(bytes, at + 208);
            for (int run = 0; run < 4; run++) {
                int half = run / 2;
                int side = run % 2;
                long scales = bytes.get(LONG, at + 192 + 8L * half) >>> (2 * side * Byte.SIZE);
                for (int e = 0; e < RUN; e += LANES) {
                    IntVector fours = ints(bytes, at + (long) RUN * run + e);
                    IntVector twos =
                            ints(bytes, at + 128 + (long) RUN * half + e).lanewise(VectorOperators.LSHR, 2 * side);
                    int i = BLOCK * b + 4 * RUN * half + RUN * side + e;
                    long own = scales >>> (e / 16 * Byte.SIZE);
                    FloatVector low = six(fours.and(15), twos.lanewise(VectorOperators.LSHL, 4))
                            .mul(VectorRows.floats(x, i));
                    FloatVector high =
                            six(fours.lanewise(VectorOperators.LSHR, 4), twos).mul(VectorRows.floats(x, i + 2 * RUN));
                    total = low.fma(VectorRows.broadcast(scale * (byte) own), total);
                    total = high.fma(VectorRows.broadcast(scale * (byte) (own >>> 32)), total);
                }
            }
        }
        return total.reduceLanes(VectorOperators.ADD);
    }

    /** Numbers whose lower four bits are in {@code low}, and the upper two in the same bits of {@code high}. */
    private static FloatVector six(IntVector low, IntVector high) {
        return floats(high.and(48).or(low).sub(32));
    }

    private static IntVector ints(MemorySegment bytes, long at) {
        return (IntVector) VectorRows.word(bytes, at).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
    }

    private static FloatVector floats(IntVector ints) {
        return (FloatVector) ints.convertShape(VectorOperators.I2F, VectorRows.FLOATS, 0);
    }
}
