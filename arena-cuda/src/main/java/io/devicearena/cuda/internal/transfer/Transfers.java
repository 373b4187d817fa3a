package io.devicearena.cuda.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.MemoryFigures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * All transfers of a context, and the staging that its arenas share.
 *
 * <p>Threads: safe for any thread.
 */
public final class Transfers {
    /** A copy of ranges that overlap goes through so many bytes at a time. */
    private static final long BOUNCE_BYTES = 32L << 20;

    private final DeviceContext context;
    final PinnedPool pool;
    final PageLockedMemories pageLocked;
    final Upload upload;
    final LargeTransfer large;
    /** Memory for copies of ranges that overlap; 0 until it is needed. */
    private long bounce;

    /** Makes the transfers of a context, which {@link #close} closes. */
    public Transfers(DeviceContext context) {
        this.context = context;
        pool = new PinnedPool(context);
        pageLocked = new PageLockedMemories(context);
        upload = new Upload(context, pool);
        large = new LargeTransfer(context, pool);
    }

    /** The context of the transfers. */
    public DeviceContext context() {
        return context;
    }

    /**
     * Writes elements: floats that are cast to a type, or bytes, of U8.
     *
     * @param to the address on the device
     * @param mirror where their f16 mirror goes, as {@link Batches#mirrorOf} returns it, 0 for none
     */
    public void write(
            long to, long mirror, MemorySegment memory, float @Nullable [] array, DType dtype, long elements) {
        boolean isRead = true; // or may be
        try {
            isRead = put(to, mirror, memory, array, dtype, elements);
        } finally {
            upload.launch();
            settle(isRead);
        }
    }

    /** Waits until the device has read the memory of a caller, also after a failure. */
    void settle(boolean isRead) {
        if (isRead) {
            context.flush();
        }
    }

    /** Writes elements, or adds them to the short ones; returns whether the device may still read their memory. */
    boolean put(long to, long mirror, MemorySegment memory, float @Nullable [] array, DType dtype, long elements) {
        long bytes = elements * dtype.bytes();
        if (bytes <= Upload.MAX_BYTES) {
            upload.add(to, mirror, memory, array, dtype, elements);
            return false;
        }
        upload.launch();
        long direct = pageLocked.address(memory, dtype, bytes);
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

    /** Casts floats of the device to their f16 mirror, see {@link Batches#mirrorOf}, on a stream. */
    public void mirror(long from, long mirror, long elements, long stream) {
        PinnedBlock block = pool.acquire(PinnedPool.MIN_BYTES);
        try {
            block.copies.add(from, 0, mirror, elements * Float.BYTES);
            block.copies.launch(stream, false);
        } finally {
            pool.release(block, true); // a launch has copied its parameters
        }
    }

    /** Reads elements from an address of the device. */
    public void read(long from, MemorySegment memory, float @Nullable [] array, DType dtype, long elements) {
        long bytes = elements * dtype.bytes();
        long direct = pageLocked.address(memory, dtype, bytes);
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
                block.view.copy(false, block.host, 0, elements);
            } finally {
                pool.release(block, done);
            }
        }
    }

    /**
     * Brings a range of the device into page-locked memory.
     *
     * @param freed what to do when the caller has freed the memory
     */
    public HostAllocation map(long from, long bytes, Runnable freed) {
        return pool.acquireFor(bytes, block -> {
            Cuda.COPY.call(block.host, from, bytes, context.stream());
            context.synchronize();
            return new PinnedMemory(Arena.ofConfined(), block.host, bytes, _ -> {
                pool.release(block, true);
                freed.run();
            });
        });
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

    /** Allocates page-locked memory for a caller. */
    public HostAllocation allocateHost(long bytes) {
        return pageLocked.allocate(bytes);
    }

    /** What an arena with a shadow of so many bytes takes, with the staging of the context. */
    public MemoryFigures figures(long shadowBytes) {
        return pool.figures(shadowBytes);
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
