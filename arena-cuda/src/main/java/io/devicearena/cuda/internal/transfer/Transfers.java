package io.devicearena.cuda.internal.transfer;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All transfers of a context, and the staging that its arenas share.
 *
 * <p>Threads: safe for any thread.
 */
public final class Transfers {
    /** A copy of ranges that overlap goes through so many bytes at a time. */
    private static final long BOUNCE_BYTES = 32L << 20;

    /** The staging of short reads, which they use in turn: more than a core's second-level cache. */
    private static final long READ_BYTES = 4L << 20;

    private final DeviceContext context;
    final PinnedPool pool;
    private final PageLockedMemories pageLocked;
    private final Upload upload;
    final LargeTransfer large;
    final Download download;
    /** Memory for copies of ranges that overlap; 0 until it is needed. */
    private long bounce;

    /** Makes the transfers of a context, which {@link #close} closes. */
    public Transfers(DeviceContext context) {
        this.context = context;
        pool = new PinnedPool(context);
        pageLocked = new PageLockedMemories(context);
        upload = new Upload(context, pool);
        large = new LargeTransfer(context, pool);
        download = new Download(pageLocked, large);
    }

    /** The context of the transfers. */
    public DeviceContext context() {
        return context;
    }

    /**
     * Writes elements: bytes, or floats where there is a type.
     *
     * @param to the address on the device
     * @param mirror where their f16 mirror goes, as {@link #mirrorOf} returns it, 0 for none
     */
    public void write(
            long to,
            long mirror,
            MemorySegment memory,
            float @Nullable [] array,
            @Nullable DType dtype,
            long elements) {
        boolean isRead = true; // or may be
        try {
            isRead = put(to, mirror, memory, array, dtype, elements);
        } finally {
            upload.launch();
            settle(isRead);
        }
    }

    /** Waits until the device has read the memory of a caller, also after a failure. */
    private void settle(boolean isRead) {
        if (isRead) {
            context.enter();
            context.synchronize();
        }
    }

    /** Writes elements, or adds them to the short ones; returns whether the device may still read their memory. */
    private boolean put(
            long to,
            long mirror,
            MemorySegment memory,
            float @Nullable [] array,
            @Nullable DType dtype,
            long elements) {
        long bytes = elements * (dtype == null ? 1 : dtype.bytes());
        if (bytes <= Upload.MAX_BYTES) {
            upload.add(to, mirror, memory, array, dtype, elements);
            return false;
        }
        upload.launch();
        boolean plain = array == null && (dtype == null || dtype == DType.F32);
        long direct = plain ? pageLocked.address(memory, bytes) : 0;
        context.enter();
        if (direct != 0) {
            Cuda.COPY.call(to, direct, bytes, context.stream());
        } else {
            large.move(true, to, memory, array, dtype, elements);
        }
        if (mirror != 0) {
            mirror(to, mirror, elements, context.stream());
        }
        return direct != 0;
    }

    /**
     * Where the mirror of elements goes, as kernels get it: the address, whose lowest bit asks for a zero behind an odd
     * number of floats.
     *
     * @param shadow the address of the shadow
     */
    public static long mirrorOf(long shadow, BufferSlot slot, long elements) {
        long mirror = shadow + slot.offset() / 2;
        return F16Mirrors.isPadded(slot, elements) ? mirror | (elements & 1) : mirror;
    }

    /** The same for a write of a batch; 0 if it makes no mirror. */
    static long mirrorOf(long shadow, F16Mirrors mirrors, Span span) {
        return mirrors.isMirrored(span) ? mirrorOf(shadow, span.slot(), span.elements()) : 0;
    }

    /** Casts floats of the device to their f16 mirror, see {@link #mirrorOf}, on a stream. */
    public void mirror(long from, long mirror, long elements, long stream) {
        PinnedBlock block = pool.acquire(PinnedPool.MIN_BYTES);
        try {
            block.copies.add(from, 0, mirror, elements * Float.BYTES);
            block.copies.launch(stream, false);
        } finally {
            pool.release(block, true); // a launch has copied its parameters
        }
    }

    /** Makes the writes of a batch, in order, to an arena and its shadow, 0 for none. */
    public void write(List<Span> spans, long arena, long shadow, F16Mirrors mirrors) {
        boolean isRead = true; // or may be
        try {
            isRead = put(spans, arena, shadow, mirrors);
        } finally {
            settle(isRead);
        }
    }

    /** Makes the writes of a batch; those from page-locked memory may be under way when this returns. */
    public Optional<StagedRead> beginWrite(List<Span> spans, long arena, long shadow, F16Mirrors mirrors) {
        PinnedBlock block = pool.acquire(PinnedPool.MIN_BYTES);
        try {
            if (put(spans, arena, shadow, mirrors)) {
                return Optional.of(new Deferred(block, spans, arena, false));
            }
            pool.release(block, true);
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            pool.release(block, false);
            throw e;
        }
    }

    private boolean put(List<Span> spans, long arena, long shadow, F16Mirrors mirrors) {
        boolean isRead = false;
        try {
            for (int i = 0; i < spans.size(); i++) { // no iterator: moving a batch again allocates nothing
                Span span = spans.get(i);
                mirrors.mark(span);
                long mirror = mirrorOf(shadow, mirrors, span);
                DType dtype = HostView.deviceType(span);
                isRead |= put(arena + span.offset(), mirror, span.memory(), null, dtype, HostView.elements(span));
            }
        } finally {
            upload.launch();
        }
        return isRead;
    }

    /**
     * Spans on their way into a block, or a write from page-locked memory. The event of the block is behind the copies.
     *
     * <p>Threads: as {@link StagedRead} says.
     */
    private final class Deferred implements StagedRead {
        private final PinnedBlock block;
        private final List<Span> spans;
        private final long arena;
        private final boolean isRead;

        Deferred(PinnedBlock block, List<Span> spans, long arena, boolean isRead) {
            this.block = block;
            this.spans = spans;
            this.arena = arena;
            this.isRead = isRead;
            context.enter();
            Cuda.RECORD.call(block.event, context.stream());
        }

        @Override
        public boolean hasArrived() {
            context.enter();
            return Cuda.isDone(block.event);
        }

        @Override
        public void land() {
            if (isRead) {
                download.land(spans, 0, spans.size(), arena, block, 0);
            }
        }

        @Override
        public void release(boolean landed) {
            pool.release(block, landed);
        }

        @Override
        public boolean isCancellable() {
            return isRead;
        }
    }

    /** Reads elements from an address of the device. */
    public void read(long from, MemorySegment memory, float @Nullable [] array, @Nullable DType dtype, long elements) {
        long bytes = elements * (dtype == null ? 1 : dtype.bytes());
        boolean plain = array == null && (dtype == null || dtype == DType.F32);
        long direct = plain ? pageLocked.address(memory, bytes) : 0;
        if (direct != 0) {
            context.enter();
            Cuda.COPY.call(direct, from, bytes, context.stream());
            context.synchronize();
        } else if (bytes > Upload.MAX_BYTES) {
            large.move(false, from, memory, array, dtype, elements);
        } else {
            PinnedBlock block = pool.acquire(bytes);
            boolean done = false;
            try {
                block.copies.add(from, block.host, 0, bytes);
                block.copies.make(context.stream(), context.isBehindWork());
                block.copies.await();
                done = true;
                block.view.set(memory, array, dtype);
                block.view.copyFrom(block.host, 0, elements);
            } finally {
                pool.release(block, done);
            }
        }
    }

    /** Makes the reads of a batch, as many together as fit, and waits for them. */
    public void read(List<Span> spans, long arena) {
        for (int first = 0; first < spans.size(); ) {
            int end = first;
            long bytes = 0;
            while (end < spans.size() && spans.get(end).bytes() <= Upload.MAX_BYTES && bytes <= Upload.MAX_BYTES) {
                bytes += spans.get(end++).bytes();
            }
            if (end == first) {
                Span span = spans.get(end++);
                read(arena + span.offset(), span.memory(), null, HostView.deviceType(span), HostView.elements(span));
            } else {
                read(spans, first, end, arena);
            }
            first = end;
        }
    }

    private void read(List<Span> spans, int first, int end, long arena) {
        long bytes = Download.stagingBytes(spans, first, end);
        PinnedBlock block = pool.acquire(Math.max(bytes, READ_BYTES));
        boolean done = false;
        try {
            long begin = block.next(bytes);
            boolean byKernel = end - first > 1 || context.isBehindWork();
            download.begin(spans, first, end, arena, block, begin, context.stream(), byKernel);
            block.copies.await();
            done = true;
            download.land(spans, first, end, arena, block, begin);
        } finally {
            pool.release(block, done);
        }
    }

    /** Begins the reads of a batch: they see the bytes of now, since all later work comes behind them. */
    public StagedRead beginRead(List<Span> spans, long arena) {
        PinnedBlock block = pool.acquire(Download.stagingBytes(spans, 0, spans.size()));
        try {
            download.begin(spans, 0, spans.size(), arena, block, 0, context.stream(), context.isBehindWork());
            return new Deferred(block, List.copyOf(spans), arena, true);
        } catch (RuntimeException | Error e) {
            pool.release(block, false);
            throw e;
        }
    }

    /**
     * Brings a range of the device into page-locked memory.
     *
     * @param freed what to do when the caller has freed the memory
     */
    public HostAllocation map(long from, long bytes, Runnable freed) {
        PinnedBlock block = pool.acquire(bytes);
        try {
            Cuda.COPY.call(block.host, from, bytes, context.stream());
            context.synchronize();
            return new PinnedMemory(Arena.ofConfined(), block.host, bytes, _ -> {
                pool.release(block, true);
                freed.run();
            });
        } catch (RuntimeException | Error e) {
            pool.release(block, false);
            throw e;
        }
    }

    /** Allocates zeroed memory of the device. */
    public long allocateZeroed(long bytes) {
        context.enter();
        long memory = Cuda.ALLOCATE.answer(bytes);
        try {
            fill(memory, bytes, (byte) 0);
            return memory;
        } catch (RuntimeException | Error e) {
            Cuda.FREE.call(memory);
            throw e;
        }
    }

    /** Fills a range of the device. */
    public void fill(long to, long bytes, byte value) {
        context.enter();
        Cuda.SET_BYTES.call(to, value & 0xFF, bytes, context.stream());
    }

    /** Copies a range of the device; one that overlaps piece by piece, from the end if the target begins within it. */
    public synchronized void copy(long from, long to, long bytes, long stream) {
        context.enter();
        if (Math.abs(from - to) >= bytes) {
            Cuda.COPY.call(to, from, bytes, stream);
            return;
        }
        if (bounce == 0) {
            bounce = Cuda.ALLOCATE.answer(BOUNCE_BYTES);
        }
        for (long done = 0; done < bytes; done += BOUNCE_BYTES) {
            long count = Math.min(bytes - done, BOUNCE_BYTES);
            long at = to > from ? bytes - done - count : done;
            Cuda.COPY.call(bounce, from + at, count, stream);
            Cuda.COPY.call(to + at, bounce, count, stream);
        }
    }

    /** Waits for all work so far. */
    public void flush() {
        context.enter();
        context.synchronize();
    }

    /** Allocates page-locked memory for a caller. */
    public HostAllocation allocateHost(long bytes) {
        return pageLocked.allocate(bytes);
    }

    /** {@return the staging of the context} */
    public long stagingBytes() {
        return pool.bytes();
    }

    /** {@return the most staging that the context has had} */
    public long peakStagingBytes() {
        return pool.peakBytes();
    }

    /** Frees the staging and the context; of a lost one nothing can be freed one by one. */
    public synchronized void close() {
        boolean alive = context.isAlive();
        large.close(alive);
        if (alive) {
            context.synchronize();
            pool.close();
            if (bounce != 0) {
                Cuda.FREE.call(bounce);
            }
        }
        context.close();
    }
}
