package io.devicearena.cast;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The on-heap arrays through which a cast moves its data, a block at a time.
 *
 * <p>A loop over memory segments that has met heap and native ones is compiled for neither; copies in bulk do not mind.
 * So values are copied into these arrays, cast there and copied out.
 *
 * <p>Blocks are lent, not bound to threads: there may be millions of virtual threads, and a thread-local would give each
 * one its own. A stripe is picked by thread id; a taken stripe sends the caller on to the next, and only when all are
 * taken, with more casts under way than the machine has processors, is a block made that the collector may have back.
 *
 * <p><b>Threads:</b> one thread at a time, from {@link #take} to {@link #giveBack}; these two are safe for any thread.
 */
final class CastBlock {
    /**
     * Elements a block holds; a multiple of four, so that packed values fill whole longs.
     *
     * <p>Measured: the time of a longer block goes one after the other into waiting for memory, computing and storing;
     * at 512 the processor overlaps them, below that the calls cost more than they hide.
     */
    static final int ELEMENTS = 512;

    // one reference in 64 bytes, so that two threads do not fight for a cache line
    private static final int SPREAD = 16;
    private static final int STRIPES =
            Math.min(64, Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 2 - 1));
    private static final AtomicReferenceArray<@Nullable CastBlock> IDLE = new AtomicReferenceArray<>(STRIPES * SPREAD);

    final float[] floats = new float[ELEMENTS];
    final short[] halves = new short[ELEMENTS];
    final int[] halfPairs = new int[ELEMENTS / 2];
    final long[] pairs = new long[ELEMENTS / 2];

    final MemorySegment halvesBytes = MemorySegment.ofArray(halves);
    final MemorySegment halfPairsBytes = MemorySegment.ofArray(halfPairs);
    final MemorySegment pairsBytes = MemorySegment.ofArray(pairs);

    private CastBlock() {}

    static CastBlock take() {
        int home = (int) Thread.currentThread().threadId();
        for (int i = 0; i < STRIPES; i++) {
            CastBlock idle = IDLE.getAndSet(slot(home + i), null);
            if (idle != null) {
                return idle;
            }
        }
        return new CastBlock();
    }

    void giveBack() {
        int home = (int) Thread.currentThread().threadId();
        for (int i = 0; i < STRIPES; i++) {
            if (IDLE.compareAndSet(slot(home + i), null, this)) {
                return;
            }
        }
    }

    private static int slot(int stripe) {
        return (stripe & (STRIPES - 1)) * SPREAD;
    }

    /** Rounds {@code n} floats to f16 in {@link #halves}. */
    void toF16(float[] src, int srcIndex, int n) {
        NarrowFloats.toF16(src, srcIndex, halves, n);
        if (anyF16Nan(n)) {
            NarrowFloats.mendNansToF16(src, srcIndex, halves, n);
        }
    }

    /** Widens the first {@code n} f16 in {@link #halves}. */
    void fromF16(float[] dst, int dstIndex, int n) {
        NarrowFloats.fromF16(halves, dst, dstIndex, n);
        if (anyF16Nan(n)) {
            NarrowFloats.mendNansFromF16(halves, dst, dstIndex, n);
        }
    }

    private boolean anyF16Nan(int n) {
        int quads = (n + 3) >> 2;
        pairs[quads - 1] = 0; // the copy may fill the last one in part
        MemorySegment.copy(halvesBytes, 0, pairsBytes, 0, 2L * n);
        return NarrowFloats.anyF16Nan(pairs, quads);
    }

    /** Rounds the first {@code n} floats in {@link #pairs} to bf16 in {@link #halfPairs}. */
    void pairsToBf16(int n) {
        int count = (n + 1) >> 1;
        if (!NarrowFloats.toBf16(pairs, halfPairs, count)) {
            NarrowFloats.toBf16WithNans(pairs, halfPairs, count);
        }
    }

    /** Widens the first {@code n} bf16 in {@link #halfPairs} to floats in {@link #pairs}. */
    void pairsFromBf16(int n) {
        NarrowFloats.fromBf16(halfPairs, pairs, (n + 1) >> 1);
    }
}
