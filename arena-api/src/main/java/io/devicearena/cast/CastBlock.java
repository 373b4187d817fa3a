package io.devicearena.cast;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * On-heap arrays for the intermediate values of a cast.
 *
 * <p>Blocks are pooled, not bound to threads: there may be millions of virtual threads, and a thread-local would give
 * each one its own. The pool is striped by thread id. A caller whose stripe is empty tries the next one; when all are
 * empty, with more casts in progress than the machine has processors, it makes a new block.
 *
 * <p>Threads: one thread at a time, from {@link #acquire} to {@link #close}; these two are safe for any thread.
 */
final class CastBlock implements AutoCloseable {
    /** Elements a block holds, and a cast makes at a time. */
    static final int ELEMENTS = 512;

    // one reference in 64 bytes, so that two threads do not contend for a cache line
    private static final int SPREAD = 16;
    private static final int STRIPES =
            Math.min(64, Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 2 - 1));
    private static final AtomicReferenceArray<@Nullable CastBlock> IDLE = new AtomicReferenceArray<>(STRIPES * SPREAD);

    /** F32 values. */
    final float[] floats = new float[ELEMENTS];
    /** F16 values. */
    final short[] halves = new short[ELEMENTS];
    /** The bits of two narrow values each. */
    final int[] halfPairs = new int[ELEMENTS / 2];
    /** The bits of two f32 values each. */
    final long[] pairs = new long[ELEMENTS / 2];

    // the same memory as segments, made once for bulk copies
    final MemorySegment halfPairsBytes = MemorySegment.ofArray(halfPairs);
    final MemorySegment pairsBytes = MemorySegment.ofArray(pairs);

    private CastBlock() {}

    static CastBlock acquire() {
        int home = (int) Thread.currentThread().threadId();
        for (int i = 0; i < STRIPES; i++) {
            CastBlock idle = IDLE.getAndSet(slot(home + i), null);
            if (idle != null) {
                return idle;
            }
        }
        return new CastBlock();
    }

    /** Returns the block to the pool. */
    @Override
    public void close() {
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
}
