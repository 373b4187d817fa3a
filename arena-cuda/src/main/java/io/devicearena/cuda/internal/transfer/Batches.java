package io.devicearena.cuda.internal.transfer;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import java.util.List;
import java.util.Optional;

/**
 * The batches of an arena, and where its bytes and their mirrors are on the device. Spans that are staged lie in a
 * block one behind the other; reads into page-locked memory go straight there.
 *
 * <p>Threads: safe for any thread.
 */
public final class Batches {
    /** The staging of short reads, which they use in turn: more than a core's second-level cache. */
    private static final long READ_BYTES = 4L << 20;

    final Transfers transfers;
    private final DeviceContext context;
    private final long arena;
    private final long shadow;
    private final F16Mirrors mirrors;

    /**
     * Makes the batches of an arena.
     *
     * @param arena the address of the arena on the device
     * @param shadow the address of its shadow, 0 for none
     */
    public Batches(Transfers transfers, long arena, long shadow, F16Mirrors mirrors) {
        this.transfers = transfers;
        this.context = transfers.context();
        this.arena = arena;
        this.shadow = shadow;
        this.mirrors = mirrors;
    }

    /**
     * Where the mirror of elements goes, as kernels get it: the address, whose lowest bit asks for a zero behind an odd
     * number of floats.
     */
    public long mirrorOf(BufferSlot slot, long elements) {
        long mirror = shadow + slot.offset() / 2;
        return F16Mirrors.isPadded(slot, elements) ? mirror | (elements & 1) : mirror;
    }

    /** Marks the mirror of elements that are written; returns where one that is written too goes, else 0. */
    public long mark(BufferSlot slot, DType dtype, long elements) {
        return mirrors.mark(slot, dtype, elements * dtype.bytes()) ? mirrorOf(slot, elements) : 0;
    }

    /** Makes the writes of a batch, in order. */
    public void write(List<Span> spans) {
        boolean isRead = true; // or may be
        try {
            isRead = put(spans);
        } finally {
            transfers.settle(isRead);
        }
    }

    /** Makes the writes of a batch; those from page-locked memory may be under way when this returns. */
    public Optional<StagedRead> beginWrite(List<Span> spans) {
        return transfers.pool.acquireFor(PinnedPool.MIN_BYTES, block -> {
            if (put(spans)) {
                return Optional.of(new Deferred(block, spans, false));
            }
            transfers.pool.release(block, true);
            return Optional.empty();
        });
    }

    private boolean put(List<Span> spans) {
        boolean isRead = false;
        try {
            for (int i = 0; i < spans.size(); i++) { // no iterator: moving a batch again allocates nothing
                Span span = spans.get(i);
                DType dtype = HostView.deviceType(span);
                long elements = HostView.elements(span);
                long mirror = mark(span.slot(), dtype, elements);
                isRead |= transfers.put(arena + span.offset(), mirror, span.memory(), null, dtype, elements);
            }
        } finally {
            transfers.upload.launch();
        }
        return isRead;
    }

    /** Makes the reads of a batch, as many together as fit, and waits for them. */
    public void read(List<Span> spans) {
        for (int first = 0; first < spans.size(); ) {
            int end = first;
            long bytes = 0;
            while (end < spans.size() && spans.get(end).bytes() <= Upload.MAX_BYTES && bytes <= Upload.MAX_BYTES) {
                bytes += spans.get(end++).bytes();
            }
            if (end == first) {
                Span span = spans.get(end++);
                DType dtype = HostView.deviceType(span);
                transfers.read(arena + span.offset(), span.memory(), null, dtype, HostView.elements(span));
            } else {
                read(spans, first, end);
            }
            first = end;
        }
    }

    private void read(List<Span> spans, int first, int end) {
        long bytes = stagingBytes(spans, first, end);
        PinnedBlock block = transfers.pool.acquire(Math.max(bytes, READ_BYTES));
        boolean done = false;
        try {
            long begin = block.next(bytes);
            stage(false, spans, first, end, block, begin, context.stream());
            block.copies.make(context.stream(), block.copies.count() > 1 || context.isBehindWork());
            block.copies.await();
            done = true;
            copy(false, spans, first, end, block, begin);
        } finally {
            transfers.pool.release(block, done);
        }
    }

    /** Begins the reads of a batch: they see the bytes of now, since all later work comes behind them. */
    public StagedRead beginRead(List<Span> spans) {
        return transfers.pool.acquireFor(stagingBytes(spans, 0, spans.size()), block -> {
            stage(false, spans, 0, spans.size(), block, 0, context.stream());
            block.copies.make(context.stream(), context.isBehindWork());
            return new Deferred(block, List.copyOf(spans), true);
        });
    }

    /** The staging that some spans need at most. */
    static long stagingBytes(List<Span> spans, int first, int end) {
        long bytes = RangeCopies.UNIT;
        for (int i = first; i < end; i++) {
            bytes += spans.get(i).bytes() + RangeCopies.UNIT;
        }
        return bytes;
    }

    /**
     * Puts the copies of some spans between the device and a block on a stream, or into the next launch of the block.
     *
     * @param up whether they are written to the device
     * @param begin where the block has room
     */
    void stage(boolean up, List<Span> spans, int first, int end, PinnedBlock block, long begin, long stream) {
        long position = begin;
        for (int i = first; i < end; i++) {
            Span span = spans.get(i);
            long there = arena + span.offset();
            long here = up ? 0 : transfers.pageLocked.address(span);
            if (here == 0) {
                position = RangeCopies.place(position, there);
                here = block.host + position;
                position += span.bytes();
            }
            long mirror = up && mirrors.isMirrored(span) ? mirrorOf(span.slot(), span.elements()) : 0;
            block.copies.put(up ? here : there, up ? there : here, mirror, span.bytes(), stream);
        }
    }

    /** Copies between the caller's memory and what {@link #stage} has placed in the block. */
    void copy(boolean up, List<Span> spans, int first, int end, PinnedBlock block, long begin) {
        long position = begin;
        for (int i = first; i < end; i++) {
            Span span = spans.get(i);
            if (up || transfers.pageLocked.address(span) == 0) {
                position = RangeCopies.place(position, arena + span.offset());
                block.view.set(span.memory(), null, HostView.deviceType(span));
                transfers.large.copy(up, block.host + position, block.view, HostView.elements(span));
                position += span.bytes();
            }
        }
        block.view.clear();
    }

    /**
     * Spans on their way into a block, or a write from page-locked memory. The event of the block is behind the copies.
     *
     * <p>Threads: as {@link StagedRead} says.
     */
    private final class Deferred implements StagedRead {
        private final PinnedBlock block;
        private final List<Span> spans;
        private final boolean isRead;

        Deferred(PinnedBlock block, List<Span> spans, boolean isRead) {
            this.block = block;
            this.spans = spans;
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
                copy(false, spans, 0, spans.size(), block, 0);
            }
        }

        @Override
        public void release(boolean landed) {
            transfers.pool.release(block, landed);
        }

        @Override
        public boolean isCancellable() {
            return isRead;
        }
    }
}
