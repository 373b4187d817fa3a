package io.devicearena.spi.memory;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import java.util.List;

/**
 * The f16 mirrors of the values of a memory, for backends with an f16 shadow: which values have one, and which mirrors
 * are stale.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class F16Mirrors {
    /**
     * A word of the shadow holds two f16 values, those of 8 bytes of f32. A mirror that begins within a word has no
     * word.
     */
    private static final int ALIGNMENT_BYTES = 8;

    private final F16ShadowMode mode;
    private final long shadowBytes;
    /** The bytes of the arena whose mirrors are out of date. */
    private final StaleRanges stale = new StaleRanges();

    /**
     * Makes the mirrors of a new memory.
     *
     * @param mode when mirrors are written
     * @param shadowBytes the size of the f16 shadow in bytes, 0 for none
     */
    public F16Mirrors(F16ShadowMode mode, long shadowBytes) {
        this.mode = shadowBytes > 0 ? mode : F16ShadowMode.OFF;
        this.shadowBytes = shadowBytes;
    }

    /**
     * Returns the size of the f16 shadow of a plan: the largest end of a mirror over all slots, at least 1.
     *
     * @param plan the plan
     * @return the size in bytes
     */
    public static long shadowBytes(MemoryPlan plan) {
        long largest = 1;
        for (BufferSlot slot : plan.slots().values()) {
            largest = Math.max(largest, end(slot));
        }
        return largest;
    }

    /**
     * Returns where the padded mirror of a slot ends.
     *
     * @param slot the bytes of the value in the arena
     * @return the end in bytes from the start of the shadow
     */
    public static long end(BufferSlot slot) {
        return slot.offset() / 2 + (slot.size() / Float.BYTES * Short.BYTES + 3 & -4);
    }

    /**
     * Returns the size of the f16 shadow.
     *
     * @return the size in bytes, 0 for none
     */
    public long shadowBytes() {
        return shadowBytes;
    }

    /**
     * Whether the value of a slot has a mirror: no two slots may share a word of the shadow.
     *
     * @param slot the bytes of the value in the arena
     * @return whether it has one
     */
    public boolean has(BufferSlot slot) {
        return slot.offset() % ALIGNMENT_BYTES == 0 && end(slot) <= shadowBytes;
    }

    /**
     * Whether a typed write makes the mirror too.
     *
     * @param slot the bytes of the value in the arena
     * @param dtype the type of the write
     * @return whether it does
     */
    public boolean isMirrored(BufferSlot slot, DType dtype) {
        return mode == F16ShadowMode.ON_WRITE && dtype == DType.F32 && has(slot);
    }

    /**
     * Whether a write of a batch makes the mirror too.
     *
     * @param span the write
     * @return whether it does
     */
    public boolean isMirrored(Span span) {
        return span.floats() && isMirrored(span.slot(), span.dtype());
    }

    /**
     * Whether a write of so many elements ends with the mirror. A zero follows an odd last element then; else what
     * follows stays the mirror of the value's next element.
     *
     * @param slot the bytes of the value in the arena
     * @param elements the number of elements of the write
     * @return whether it ends so
     */
    public static boolean isPadded(BufferSlot slot, long elements) {
        return elements == slot.size() / Float.BYTES;
    }

    /**
     * Marks bytes of the arena as written without their mirrors.
     *
     * @param offset the first byte
     * @param bytes the number of bytes
     */
    public void markStale(long offset, long bytes) {
        if (mode != F16ShadowMode.OFF) {
            stale.add(offset, offset + bytes);
        }
    }

    /**
     * Marks the mirrors of bytes of the arena as up to date.
     *
     * @param offset the first byte
     * @param bytes the number of bytes
     */
    public void markFresh(long offset, long bytes) {
        stale.remove(offset, offset + bytes);
    }

    /**
     * Marks the mirror as a write leaves it.
     *
     * @param slot the bytes of the value in the arena, or a range of raw bytes; the write begins at its start
     * @param dtype the type of a typed write; U8 for raw bytes
     * @param bytes the number of bytes that are written
     * @return whether the write makes the mirror too
     */
    public boolean mark(BufferSlot slot, DType dtype, long bytes) {
        boolean isMirrored = isMirrored(slot, dtype);
        if (isMirrored) {
            markFresh(slot.offset(), bytes);
        } else {
            markStale(slot.offset(), bytes);
        }
        return isMirrored;
    }

    /**
     * Marks the mirrors as writes leave them.
     *
     * @param written the writes, in order
     */
    public void mark(List<Span> written) {
        for (int i = 0; i < written.size(); i++) {
            Span span = written.get(i);
            boolean _ = mark(span.slot(), span.floats() ? span.dtype() : DType.U8, span.bytes());
        }
    }

    /**
     * Whether any byte of a slot was written without its mirror.
     *
     * @param slot the bytes of the value in the arena
     * @return whether the mirror is stale
     */
    public boolean isStale(BufferSlot slot) {
        return stale.meets(slot.offset(), slot.end());
    }

    /**
     * Whether the mirror of a slot is stale after a write. A write of a part makes no stale mirror fresh.
     *
     * @param input the write
     * @param slot the slot
     * @param isStale whether the mirror is stale before the write
     * @return whether it is stale behind the write
     */
    boolean isStaleAfter(Span input, BufferSlot slot, boolean isStale) {
        long begin = input.offset();
        long end = begin + input.bytes();
        return isMirrored(input)
                ? isStale && !(begin <= slot.offset() && end >= slot.end())
                : isStale || (begin < slot.end() && end > slot.offset());
    }
}
