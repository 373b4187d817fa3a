package io.devicearena.conformance;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.OptionalLong;

/** A correct shadow, kept by the element, with a note for each byte of the arena whether its mirror is behind. */
class ReferenceShadow implements F16Shadow {
    final ReferenceArena arena;
    final F16ShadowMode mode;
    final MemorySegment bytes;
    final BitSet behind;

    ReferenceShadow(ReferenceArena arena, F16ShadowMode mode) {
        this.arena = arena;
        this.mode = mode;
        this.bytes = MemorySegment.ofArray(new byte[Math.toIntExact(size())]);
        this.behind = new BitSet();
    }

    /** The shadow of a view: the same mirrors for other values. */
    ReferenceShadow(ReferenceArena view, ReferenceShadow shadow) {
        this.arena = view;
        this.mode = shadow.mode;
        this.bytes = shadow.bytes;
        this.behind = shadow.behind;
    }

    // ---- the steps that mutants break

    long size() {
        long end = 1;
        for (BufferSlot slot : arena.plan().slots().values()) {
            if (slot.offset() % 8 == 0) {
                end = Math.max(end, end(slot));
            }
        }
        return Math.min(end, cap());
    }

    /** A kernel binds the shadow of one segment: no binding covers more, and none has to. */
    long cap() {
        return arena.geometry.segments().count() > 1
                ? Long.MAX_VALUE
                : arena.device().limits().maxBindingBytes();
    }

    long mirror(BufferSlot slot) {
        return slot.offset() / 2;
    }

    long end(BufferSlot slot) {
        return slot.offset() / 2 + (slot.size() / 4 * 2 + 3) / 4 * 4;
    }

    boolean hasMirror(BufferSlot slot) {
        return slot.offset() % 8 == 0 && end(slot) <= bytes.byteSize();
    }

    short narrow(int bits) {
        return TypedCasts.toF16(Float.intBitsToFloat(bits));
    }

    /** Makes the mirror of some of a slot's elements out of the arena's bytes. */
    void cast(BufferSlot slot, long elements) {
        mirror(slot, arena.memory.asSlice(slot.offset(), elements * 4));
        pad(slot, elements);
    }

    private void mirror(BufferSlot slot, MemorySegment floats) {
        int[] bits = floats.toArray(ReferenceArena.INT);
        short[] halves = new short[bits.length];
        for (int i = 0; i < bits.length; i++) {
            halves[i] = narrow(bits[i]);
        }
        MemorySegment.copy(halves, 0, bytes, ReferenceArena.SHORT, mirror(slot), halves.length);
    }

    /** Behind the last element of an odd slot stands a zero. */
    void pad(BufferSlot slot, long elements) {
        if (elements == slot.size() / 4 && elements % 2 == 1) {
            bytes.set(ReferenceArena.SHORT, mirror(slot) + elements * 2, (short) 0);
        }
    }

    /** Bytes of the arena were written without their mirror. */
    void touched(long offset, long length) {
        synchronized (behind) {
            behind.set(Math.toIntExact(offset), Math.toIntExact(offset + length));
        }
    }

    /** A typed write. */
    synchronized void wrote(NodeId id, BufferSlot slot, DType dtype, long count) {
        if (dtype == DType.F32 && mode == F16ShadowMode.ON_WRITE && hasMirror(slot)) {
            cast(slot, count);
            fresh(slot, count * 4);
        } else {
            touched(slot.offset(), count * dtype.bytes());
        }
    }

    void fresh(BufferSlot slot, long length) {
        synchronized (behind) {
            behind.clear(Math.toIntExact(slot.offset()), Math.toIntExact(slot.offset() + length));
        }
    }

    private BufferSlot require(NodeId id) {
        BufferSlot slot = arena.find(id);
        if (slot == null || !hasMirror(slot)) {
            throw new IllegalArgumentException(id + ": expected a value with a mirror, got one without");
        }
        return slot;
    }

    // ---- the interface

    @Override
    public long sizeBytes() {
        arena.requireOpen();
        return bytes.byteSize();
    }

    @Override
    public boolean fits(NodeId id) {
        arena.requireOpen();
        BufferSlot slot = arena.find(id);
        return slot != null && hasMirror(slot);
    }

    @Override
    public OptionalLong byteOffset(NodeId id) {
        BufferSlot slot = arena.find(id);
        return fits(id) && slot != null ? OptionalLong.of(mirror(slot)) : OptionalLong.empty();
    }

    @Override
    public synchronized boolean isStale(NodeId id) {
        BufferSlot slot = arena.find(id);
        if (!fits(id) || slot == null) {
            return false;
        }
        synchronized (behind) {
            int next = behind.nextSetBit(Math.toIntExact(slot.offset()));
            return next >= 0 && next < slot.end();
        }
    }

    @Override
    public long write(NodeId id, float[] data) {
        return write(id, MemorySegment.ofArray(data));
    }

    @Override
    public synchronized long write(NodeId id, MemorySegment data) {
        arena.requireFloats(data);
        arena.requireOpen();
        BufferSlot slot = require(id);
        arena.requireAccess(data);
        long count = Math.min(data.byteSize() / 4, slot.size() / 4);
        mirror(slot, data.asSlice(0, count * 4));
        pad(slot, count);
        fresh(slot, slot.size());
        return count;
    }

    @Override
    public synchronized void refresh(NodeId id) {
        arena.requireOpen();
        BufferSlot slot = require(id);
        cast(slot, slot.size() / 4);
        fresh(slot, slot.size());
    }

    @Override
    public synchronized void readBytes(long offset, MemorySegment destination) {
        arena.requireWritable(destination);
        arena.requireOpen();
        long length = destination.byteSize();
        if (offset < 0 || length > bytes.byteSize() || offset > bytes.byteSize() - length) {
            throw new IllegalArgumentException("range: expected one within " + bytes.byteSize()
                    + " bytes of shadow, got offset " + offset + " and length " + length);
        }
        arena.requireAccess(destination);
        MemorySegment.copy(bytes, offset, destination, 0, length);
    }
}
