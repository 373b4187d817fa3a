package io.devicearena.wgpu.internal.transfer;

import io.devicearena.ArenaDevice;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import java.util.List;

/**
 * The f16 mirrors of the values of a memory: which values have one, which mirrors are stale, and how a write treats its
 * mirror.
 *
 * <p>Threads: safe for any thread.
 */
public final class Mirrors {
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
     * @param shadowBytes the size of the f16 shadow, 0 for none
     */
    public Mirrors(F16ShadowMode mode, long shadowBytes) {
        this.mode = shadowBytes > 0 ? mode : F16ShadowMode.OFF;
        this.shadowBytes = shadowBytes;
    }

    /**
     * Returns the size of the f16 shadow of a plan: the largest end of a mirror over all slots, at least 1. The shadow
     * of an arena of one segment is at most one binding.
     */
    public static long shadowBytes(MemoryPlan plan, SegmentLayout layout, ArenaDevice device) {
        long largest = 1;
        for (BufferSlot slot : plan.slots().values()) {
            largest = Math.max(largest, end(slot));
        }
        return layout.count() > 1 ? largest : Math.min(largest, device.limits().maxBindingBytes());
    }

    /** Where the padded mirror of a slot ends, in bytes from the start of the shadow. */
    public static long end(BufferSlot slot) {
        return slot.offset() / 2 + (slot.size() / Float.BYTES * Short.BYTES + 3 & -4);
    }

    /** The size of the f16 shadow in bytes, 0 for none. */
    public long shadowBytes() {
        return shadowBytes;
    }

    /** Whether the value of a slot has a mirror: no two slots may share a word of the shadow. */
    public boolean has(BufferSlot slot) {
        return slot.offset() % ALIGNMENT_BYTES == 0 && end(slot) <= shadowBytes;
    }

    /** Decides how a typed write treats the mirror. */
    Mirror of(BufferSlot slot, DType dtype, long elements) {
        if (mode != F16ShadowMode.ON_WRITE || dtype != DType.F32 || !has(slot)) {
            return Mirror.NONE;
        }
        return elements == slot.size() / Float.BYTES ? Mirror.PADDED : Mirror.CONTINUED;
    }

    /** Decides how a write treats the mirror. */
    Mirror of(Span span) {
        return span.floats() ? of(span.slot(), span.dtype(), span.elements()) : Mirror.NONE;
    }

    /** Marks bytes of the arena as written without their mirrors. */
    public void markStale(long offset, long bytes) {
        if (mode != F16ShadowMode.OFF) {
            stale.add(offset, offset + bytes);
        }
    }

    /** Marks the mirrors of bytes of the arena as up to date. */
    public void markFresh(long offset, long bytes) {
        stale.remove(offset, offset + bytes);
    }

    /** Whether any byte of a slot was written without its mirror. */
    public boolean isStale(BufferSlot slot) {
        return stale.meets(slot.offset(), slot.end());
    }

    /**
     * Whether the mirror of a slot is stale after a write. A write of a part makes no stale mirror fresh.
     *
     * @param isStale whether it is before the write
     */
    public boolean isStaleAfter(Span input, BufferSlot slot, boolean isStale) {
        long begin = input.offset();
        long end = begin + input.bytes();
        return of(input) == Mirror.NONE
                ? isStale || (begin < slot.end() && end > slot.offset())
                : isStale && !(begin <= slot.offset() && end >= slot.end());
    }

    /** Marks the mirrors as a run with inputs leaves them; the submission follows. */
    public void noteInputs(List<Span> inputs) {
        for (int i = 0; i < inputs.size(); i++) {
            Span input = inputs.get(i);
            if (of(input) == Mirror.NONE) {
                markStale(input.offset(), input.bytes());
            } else {
                markFresh(input.offset(), input.bytes());
            }
        }
    }
}
