package io.devicearena.cuda.internal.arena;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceLostException;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.device.InstalledDevice;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.internal.transfer.Batches;
import io.devicearena.cuda.internal.transfer.Transfers;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaF16Shadow;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * The memory of an arena and its views: one allocation for the arena and one for the f16 shadow. It does not refer to
 * an arena, so that an arena that was dropped can be collected.
 *
 * <p>Threads: safe for any thread.
 */
public final class CudaBackend implements ArenaBackend, ArenaF16Shadow.Memory {
    private final OpenContexts.Use use;
    private final Transfers transfers;
    private final F16Mirrors mirrors;
    private final Batches batches;
    private final Front front;
    private final LinkedHashSet<Uses> kept = new LinkedHashSet<>();
    private final long arena;
    private final long shadow;

    /** Makes what callers unwrap from an arena, apart from its shadow. Threads: safe for any thread. */
    public interface Front {
        /** The object of a type, or empty where there is none. */
        <T> Optional<T> of(Class<T> type, CudaBackend backend, OpenArena arena);
    }

    private CudaBackend(OpenContexts.Use use, F16Mirrors mirrors, long arena, long shadow, Front front) {
        this.use = use;
        this.transfers = use.transfers;
        this.mirrors = mirrors;
        this.arena = arena;
        this.shadow = shadow;
        this.batches = new Batches(transfers, arena, shadow, mirrors);
        this.front = front;
        Uses _ = uses(() -> Cuda.FREE.call(arena));
        if (shadow != 0) {
            Uses _ = uses(() -> Cuda.FREE.call(shadow));
        }
    }

    /**
     * Allocates the memory of an arena.
     *
     * @param context a context of the caller, 0 for the primary one
     * @param stream a stream in it
     * @throws ArenaOutOfMemoryException if the device has too little free memory
     */
    public static CudaBackend allocate(
            InstalledDevice device, long context, long stream, MemoryPlan plan, ArenaOptions options, Front front) {
        ArenaDevice listed = device.device();
        long bytes = ArenaGeometry.of(plan, options, listed).sizeBytes();
        F16ShadowMode mode = options.f16Shadow();
        F16Mirrors mirrors = new F16Mirrors(mode, mode == F16ShadowMode.OFF ? 0 : F16Mirrors.shadowBytes(plan));
        OpenContexts.Use use = OpenContexts.OF_PROCESS.acquire(device, context, stream);
        try {
            use.transfers.context().enter();
            requireFree(options.label(), listed.name(), bytes + mirrors.shadowBytes(), Cuda.freeMemory());
            long arena = use.transfers.allocateZeroed(bytes);
            try {
                long shadow = mirrors.shadowBytes() == 0 ? 0 : use.transfers.allocateZeroed(mirrors.shadowBytes());
                return new CudaBackend(use, mirrors, arena, shadow, front);
            } catch (RuntimeException | Error e) {
                Cuda.FREE.call(arena);
                throw e;
            }
        } catch (RuntimeException | Error e) {
            OpenContexts.OF_PROCESS.release(use);
            throw e;
        }
    }

    private static void requireFree(String label, String device, long bytes, long free) {
        if (bytes > free) {
            throw new ArenaOutOfMemoryException("arena '" + label + "': expected " + ArenaGeometry.sizeText(bytes)
                    + " of free memory on '" + device + "', got " + ArenaGeometry.sizeText(free)
                    + "; close other arenas or plan a smaller one");
        }
    }

    @Override
    public void write(long offset, MemorySegment source) {
        mirrors.markStale(offset, source.byteSize());
        transfers.write(arena + offset, 0, source, null, DType.U8, source.byteSize());
    }

    @Override
    public void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        transfers.write(arena + slot.offset(), batches.mark(slot, dtype, elements), source, null, dtype, elements);
    }

    @Override
    public void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        transfers.write(
                arena + slot.offset(),
                batches.mark(slot, dtype, elements),
                MemorySegment.NULL,
                source,
                dtype,
                elements);
    }

    /** Casts a value into its mirror, on a stream. */
    public void refresh(BufferSlot slot, long stream) {
        long elements = slot.size() / Float.BYTES;
        transfers.mirror(arena + slot.offset(), batches.mirrorOf(slot, elements), elements, stream);
    }

    @Override
    public void refresh(BufferSlot slot) {
        refresh(slot, context().stream());
    }

    @Override
    public void writeShadow(long offset, MemorySegment source, long elements) {
        transfers.write(shadow + offset, 0, source, null, DType.F16, elements);
    }

    @Override
    public void readShadow(long offset, MemorySegment destination) {
        transfers.read(shadow + offset, destination, null, DType.U8, destination.byteSize());
    }

    @Override
    public void write(List<Span> spans) {
        batches.write(spans);
    }

    @Override
    public Optional<StagedRead> beginWrite(List<Span> spans) {
        return batches.beginWrite(spans);
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        transfers.read(arena + offset, destination, null, DType.U8, destination.byteSize());
    }

    @Override
    public void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        transfers.read(arena + slot.offset(), destination, null, dtype, elements);
    }

    @Override
    public void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        transfers.read(arena + slot.offset(), MemorySegment.NULL, destination, dtype, elements);
    }

    @Override
    public void read(List<Span> spans) {
        batches.read(spans);
    }

    @Override
    public Optional<StagedRead> beginRead(List<Span> spans) {
        return Optional.of(batches.beginRead(spans));
    }

    @Override
    public HostAllocation map(long offset, long length) {
        HostAllocation view = transfers.map(arena + offset, length, () -> OpenContexts.OF_PROCESS.release(use));
        OpenContexts.OF_PROCESS.retain(use); // it may outlive the arena
        return view;
    }

    @Override
    public void fill(long offset, long length, byte value) {
        mirrors.markStale(offset, length);
        transfers.fill(arena + offset, length, value);
    }

    @Override
    public void copy(long from, long to, long length) {
        mirrors.markStale(to, length);
        transfers.copy(arena + from, arena + to, length, context().stream());
    }

    @Override
    public void flush() {
        context().flush();
    }

    @Override
    public HostAllocation allocateHost(long bytes) {
        return transfers.allocateHost(bytes);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type, OpenArena asked) {
        if (type == F16Shadow.class) {
            return ArenaF16Shadow.of(asked, this).map(type::cast);
        }
        return front.of(type, this, asked);
    }

    @Override
    public MemoryFigures figures() {
        return transfers.figures(mirrors.shadowBytes());
    }

    /** Counts the users of a native object of this arena, which is freed with the last of them. */
    public Uses uses(Runnable free) {
        Uses made = new Uses(this, free);
        synchronized (kept) {
            kept.add(made);
        }
        return made;
    }

    void forget(Uses freed) {
        synchronized (kept) {
            kept.remove(freed);
        }
    }

    /** The address of the arena on the device. */
    public long arena() {
        return arena;
    }

    /** The address of the shadow on the device, 0 for none. */
    public long shadow() {
        return shadow;
    }

    @Override
    public F16Mirrors mirrors() {
        return mirrors;
    }

    /** The batches of the arena. */
    public Batches batches() {
        return batches;
    }

    /** The context of the arena. */
    public DeviceContext context() {
        return transfers.context();
    }

    /** The transfers of the context. */
    public Transfers transfers() {
        return transfers;
    }

    @Override
    public void close() {
        try {
            flush();
            while (!kept.isEmpty()) { // no call is in flight
                kept.getLast().end(); // programs before their kernels, the arena last
                kept.removeLast();
            }
        } catch (DeviceLostException e) {
            // the context has freed everything with itself
        }
        OpenContexts.OF_PROCESS.release(use);
    }
}
