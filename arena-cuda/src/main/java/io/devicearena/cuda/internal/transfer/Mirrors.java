package io.devicearena.cuda.internal.transfer;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.memory.Span;

/**
 * The f16 mirrors of the values of a memory: which values have one, and which mirrors are stale.
 *
 * <p>Threads: safe for any thread.
 */
public final class Mirrors {
    /** Two f16 values of a word of the shadow are those of 8 bytes of f32: no two values share a word. */
    private static final int ALIGNMENT_BYTES = 8;

    private final F16ShadowMode mode;
    private final long shadowBytes;
    private final StaleRanges stale = new StaleRanges();

    /**
     * Makes the mirrors of a new memory.
     *
     * @param shadowBytes the size of the f16 shadow, 0 for none
     */
    public Mirrors(F16ShadowMode mode, long shadowBytes) {
        this.mode = shadowBytes > 0 ? mode : F16ShadowMode.OFF;
        this.shadowBytes = shadowBytes;
    }

    /** The size of the f16 shadow of a plan: the largest end of a mirror over all slots, at least 1. */
    public static long shadowBytes(MemoryPlan plan) {
        long largest = 1;
        for (BufferSlot slot : plan.slots().values()) {
            largest = Math.max(largest, end(slot));
        }
        return largest;
    }

    /** Where the padded mirror of a slot ends, in bytes from the start of the shadow. */
    public static long end(BufferSlot slot) {
        return slot.offset() / 2 + (slot.size() / Float.BYTES * Short.BYTES + 3 & -4);
    }

    /** The size of the f16 shadow in bytes, 0 for none. */
    public long shadowBytes() {
        return shadowBytes;
    }

    /** Whether the value of a slot has a mirror. */
    public boolean has(BufferSlot slot) {
        return slot.offset() % ALIGNMENT_BYTES == 0 && end(slot) <= shadowBytes;
    }

    /** Whether a typed write makes the mirror too. */
    public boolean isMirrored(BufferSlot slot, DType dtype) {
        return mode == F16ShadowMode.ON_WRITE && dtype == DType.F32 && has(slot);
    }

    public boolean isMirrored(Span span) {
        return span.floats() && isMirrored(span.slot(), span.dtype());
    }

    /** Whether a write of so many elements ends with the mirror, which an odd number pads with a zero. */
    public static boolean isPadded(BufferSlot slot, long elements) {
        return elements == slot.size() / Float.BYTES;
    }

    /** Marks bytes of the arena as written, with their mirrors or without. */
    public void mark(long offset, long bytes, boolean mirrored) {
        if (mirrored) {
            stale.remove(offset, offset + bytes);
        } else if (mode != F16ShadowMode.OFF) {
            stale.add(offset, offset + bytes);
        }
    }

    /**
     * Whether the mirror of a slot is stale after a write. A write of a part makes no stale mirror fresh.
     *
     * @param isStale whether it is before the write
     */
    public boolean isStaleAfter(Span input, BufferSlot slot, boolean isStale) {
        long begin = input.offset();
        long end = begin + input.bytes();
        return isMirrored(input)
                ? isStale && !(begin <= slot.offset() && end >= slot.end())
                : isStale || (begin < slot.end() && end > slot.offset());
    }

    /** Whether any byte of a slot was written without its mirror. */
    public boolean isStale(BufferSlot slot) {
        return stale.meets(slot.offset(), slot.end());
    }
}
