package io.devicearena.kernels.packed;

import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of packed rows by the Vector API. Blocks are read as bytes, become floats in registers, and are multiplied
 * and summed in f32. Only {@link DirectRows} and {@link VectorSuperBlocks} may name this class: it cannot be loaded
 * where the module is not there.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the block layouts are those of GGML's {@code ggml-common.h}.
 */
final class VectorRows {
    static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();

    /** As many bytes as there are floats in a vector. */
    private static final VectorSpecies<Byte> BYTES = LANES == 8 ? ByteVector.SPECIES_64 : ByteVector.SPECIES_128;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The elements of a block of Q8_0, of Q5_0 and of Q4_1. */
    private static final int BLOCK = 32;

    private static final int EIGHT_BYTES = TensorType.Q8_0.blockBytes();
    private static final int FIVE_BYTES = TensorType.Q5_0.blockBytes();
    private static final int FOUR_BYTES = TensorType.Q4_1.blockBytes();

    /** Of a warm-up: enough that the JIT has compiled the loops, and so short that it does so at once. */
    private static final int ROUNDS = 80_000;

    private static final int ROUND_BLOCKS = 2;

    private static final Map<TensorType, DirectRows> COMPILED = new ConcurrentHashMap<>();

    private VectorRows() {}

    /** Returns the products of a type, which are compiled at the first call. */
    static DirectRows compiled(TensorType type, DirectRows rows) {
        return COMPILED.computeIfAbsent(type, _ -> warmedUp(type, rows));
    }

    /**
     * Multiplies short rows of zeros. Before they are compiled, vectors are objects and a block takes 50 µs: the first
     * product of a large matrix would take seconds.
     */
    private static DirectRows warmedUp(TensorType type, DirectRows rows) {
        float[] x = new float[ROUND_BLOCKS * type.blockElements()];
        try (Arena memory = Arena.ofShared()) { // as the memory of an arena is
            MemorySegment bytes = memory.allocate((long) ROUND_BLOCKS * type.blockBytes());
            for (int i = 0; i < ROUNDS; i++) {
                rows.multiply(bytes, 0, ROUND_BLOCKS, x);
            }
        }
        return rows;
    }

    static boolean fitsVectors() {
        return LANES == 8 || LANES == 16;
    }

    static float eight(MemorySegment bytes, long first, int blocks, float[] x) {
        FloatVector total = zero();
        for (int b = 0; b < blocks; b++) {
            long at = first + (long) b * EIGHT_BYTES;
            FloatVector sum = zero();
            for (int e = 0; e < BLOCK; e += LANES) {
                sum = floats(word(bytes, at + 2 + e)).fma(floats(x, BLOCK * b + e), sum);
            }
            total = sum.fma(scale(bytes, at), total);
        }
        return total.reduceLanes(VectorOperators.ADD);
    }

    /** A byte has four bits of elements e and e + 16; a word has their fifth bits. */
    static float five(MemorySegment bytes, long first, int blocks, float[] x) {
        FloatVector total = zero();
        for (int b = 0; b < blocks; b++) {
            long at = first + (long) b * FIVE_BYTES;
            int fifths = bytes.get(INT, at + 2);
            FloatVector sum = zero();
            for (int e = 0; e < BLOCK / 2; e += LANES) {
                ByteVector pairs = word(bytes, at + 6 + e);
                ByteVector low = pairs.and((byte) 15);
                ByteVector high = pairs.lanewise(VectorOperators.LSHR, 4);
                int i = BLOCK * b + e;
                sum = floats(signed(low, fifths >>> e)).fma(floats(x, i), sum);
                sum = floats(signed(high, fifths >>> (e + BLOCK / 2))).fma(floats(x, i + BLOCK / 2), sum);
            }
            total = sum.fma(scale(bytes, at), total);
        }
        return total.reduceLanes(VectorOperators.ADD);
    }

    /** A byte has elements e and e + 16, which are scaled; then the least element is added. */
    static float four(MemorySegment bytes, long first, int blocks, float[] x) {
        FloatVector total = zero();
        for (int b = 0; b < blocks; b++) {
            long at = first + (long) b * FOUR_BYTES;
            FloatVector scale = scale(bytes, at);
            FloatVector least = scale(bytes, at + 2);
            for (int e = 0; e < BLOCK / 2; e += LANES) {
                ByteVector pairs = word(bytes, at + 4 + e);
                FloatVector low = floats(pairs.and((byte) 15)).fma(scale, least);
                FloatVector high =
                        floats(pairs.lanewise(VectorOperators.LSHR, 4)).fma(scale, least);
                int i = BLOCK * b + e;
                total = low.fma(floats(x, i), total);
                total = high.fma(floats(x, i + BLOCK / 2), total);
            }
        }
        return total.reduceLanes(VectorOperators.ADD);
    }

    static FloatVector zero() {
        return FloatVector.zero(FLOATS);
    }

    static FloatVector broadcast(float value) {
        return FloatVector.broadcast(FLOATS, value);
    }

    static FloatVector floats(float[] x, int first) {
        return FloatVector.fromArray(FLOATS, x, first);
    }

    static float half(MemorySegment bytes, long at) {
        return Float.float16ToFloat(bytes.get(SHORT, at));
    }

    static ByteVector word(MemorySegment bytes, long at) {
        return ByteVector.fromMemorySegment(BYTES, bytes, at, ByteOrder.LITTLE_ENDIAN);
    }

    private static FloatVector floats(ByteVector bytes) {
        return (FloatVector) bytes.convertShape(VectorOperators.B2F, FLOATS, 0);
    }

    private static FloatVector scale(MemorySegment bytes, long at) {
        return broadcast(half(bytes, at));
    }

    /** Adds 16 where the fifth bit is set, then subtracts 16 from all. */
    private static ByteVector signed(ByteVector fours, int fifths) {
        return fours.lanewise(VectorOperators.SUB, (byte) 16, VectorMask.fromLong(BYTES, ~fifths));
    }
}
