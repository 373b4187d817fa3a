package io.devicearena.spi;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Another plan on the memory of an arena, whose hooks move the bytes. Threads: safe for any thread. */
final class ArenaView extends AbstractDeviceArena {
    private final ArenaHooks arena;
    /** The bytes of the arena, or null if they are not host memory. */
    private final @Nullable MemorySegment host;

    ArenaView(ArenaHooks arena, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, Runnable memory) {
        super(arena.device(), plan, options, geometry, memory);
        this.arena = arena;
        this.host = arena.device().capabilities().contains(Capability.HOST_MEMORY) ? arena.hostMemory() : null;
    }

    @Override
    protected void writeRange(long offset, MemorySegment source) {
        arena.writeRange(offset, source);
    }

    @Override
    protected void readRange(long offset, MemorySegment destination) {
        arena.readRange(offset, destination);
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        arena.writeFloats(slot, dtype, source, elements);
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        arena.writeFloats(slot, dtype, source, elements);
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        arena.readFloats(slot, dtype, destination, elements);
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        arena.readFloats(slot, dtype, destination, elements);
    }

    @Override
    protected void readSpans(List<Span> spans) {
        arena.readSpans(spans);
    }

    @Override
    protected Transfer beginReads(List<Span> spans, long elements) {
        return arena.beginReads(spans, elements);
    }

    @Override
    protected void writeSpans(List<Span> spans) {
        arena.writeSpans(spans);
    }

    @Override
    protected Transfer beginWrites(List<Span> spans, long elements) {
        return arena.beginWrites(spans, elements);
    }

    @Override
    protected <R> R withRange(long offset, long length, Function<MemorySegment, R> reader) {
        return arena.withRange(offset, length, reader);
    }

    @Override
    protected HostAllocation allocateHostMemory(long bytes) {
        return arena.allocateHostMemory(bytes);
    }

    @Override
    protected void fillRange(long offset, long length, int word) {
        arena.fillRange(offset, length, word);
    }

    @Override
    protected void copyRange(long from, long to, long length) {
        arena.copyRange(from, to, length);
    }

    @Override
    protected void flushWrites() {
        arena.flushWrites();
    }

    @Override
    public MemorySegment hostMemory() {
        requireOpen();
        beginChecks();
        return host == null ? super.hostMemory() : host;
    }
}
