package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.CallbackSlot;
import io.devicearena.wgpu.internal.raw.Downcalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a device: small writes, and submissions in order.
 *
 * <p>The library ends the process when commands are submitted to a lost device, and a write that finds no memory loses
 * the device. So writes and submissions hold one lock, and each is checked before the next.
 *
 * <p>Small writes collect in staging. The next submission begins with the copies that bring them to their buffers.
 *
 * <p>Threads: safe for any thread. Lifetime: that of the device.
 */
public final class SubmissionQueue {
    /** The most bytes of one small write. */
    public static final long MAX_WRITE_BYTES = PendingWrites.CHUNK_BYTES;

    /** The most writes that are made together with a submission. */
    public static final int MAX_QUEUED_WRITES = 256;

    /** Chunks for small writes: while the device reads some, writers fill the others. */
    private static final int WRITE_CHUNKS = 8;

    private final GpuErrors errors;
    private final long device;
    private final long queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final PendingWrites pending = new PendingWrites();
    /** Where queued writes go, with their ranges checked. */
    private final QueuedWrites.Target target = this::placeLocked;

    private final StagingRing writeChunks;
    /** Three words for the handles of submitted commands, which the library takes as an array. */
    private final MemorySegment submission;
    /** The target of {@link #checkAlive}. */
    private final GpuBuffer probe;
    /** How often commands were submitted; the lock guards writes. */
    private volatile long submissions;

    SubmissionQueue(GpuDevice device, MemorySegment queue, Arena memory) {
        this.errors = device.errors();
        this.device = device.address();
        this.queue = queue.address();
        this.writeChunks = new StagingRing(device, PendingWrites.CHUNK_BYTES, WRITE_CHUNKS, false);
        this.submission = memory.allocate(ValueLayout.JAVA_LONG, 3);
        this.probe = GpuBuffer.create(
                device, "device arena probe", Integer.BYTES, WgpuNative.WGPUBufferUsage_CopyDst(), false);
    }

    /**
     * Exclusive use of the queue, from {@link #begin} to {@link #submit} or {@link #close}. All earlier writes are
     * copied at the front of what is submitted. One object serves one recording after the other.
     *
     * <p>Threads: one thread at a time.
     */
    final class Recording implements AutoCloseable {
        private boolean open;

        /** Begins: until the end, no other thread writes or submits. */
        void begin() {
            lock.lock();
            try {
                errors.requireAlive();
                open = true;
            } finally {
                if (!open) {
                    lock.unlock();
                }
            }
        }

        /** Begins with some last writes. */
        void begin(QueuedWrites writes) {
            begin();
            while (writes.writes() > 0 && !pending.hasRoom(writes.bytes(), writes.writes())) {
                close();
                makeRoom(writes.bytes(), writes.writes());
                begin();
            }
            writes.writeTo(target);
        }

        /** Begins with a last write to the start of a buffer; {@link #fillParameters} supplies its bytes. */
        void begin(GpuBuffer parameters, long bytes) {
            requireWrite(parameters, 0, bytes);
            begin();
            while (!pending.hasRoom(bytes)) {
                close();
                makeRoom(bytes);
                begin();
            }
            pending.reserve(parameters, bytes);
        }

        /** Records the earlier writes; call it before any other command is recorded. */
        void recordWrites(long encoder) {
            pending.record(encoder);
        }

        /** Supplies the bytes of the write that the recording began with. */
        void fillParameters(long source, long bytes) {
            pending.fill(source, bytes);
        }

        /** Submits the commands, and ends the recording. After a failure the recording is open still: close it. */
        void submit(long commands) {
            submit(commands, 0, 0);
        }

        /** Submits commands and two finished ones behind them; ends the recording, as {@link #submit(long)} does. */
        void submit(long commands, long second, long third) {
            StagingBuffer submitted = submitLocked(commands, second, third);
            open = false;
            lock.unlock();
            releaseChunk(submitted);
        }

        /** Ends a recording that was not submitted; the earlier writes wait for the next submission. */
        @Override
        public void close() {
            if (open) {
                open = false;
                pending.cancel();
                lock.unlock();
            }
        }
    }

    /** Makes a recording, which is not begun. */
    Recording newRecording() {
        return new Recording();
    }

    /**
     * Writes host memory to a buffer. Later submissions see it. The caller may reuse the memory when this returns.
     *
     * @param offset a multiple of 4
     * @param source an address
     * @param bytes a multiple of 4, at most {@link #MAX_WRITE_BYTES}
     */
    public void write(GpuBuffer to, long offset, long source, long bytes) {
        requireWrite(to, offset, bytes);
        while (!tryWrite(to, offset, source, bytes)) {
            makeRoom(bytes);
        }
    }

    private long placeLocked(GpuBuffer to, long offset, long bytes) {
        requireWrite(to, offset, bytes);
        return pending.place(to, offset, bytes);
    }

    private static void requireWrite(GpuBuffer to, long offset, long bytes) {
        to.requireRange(offset, bytes);
        if (bytes > MAX_WRITE_BYTES) {
            throw new AssertionError("small write of " + bytes + " bytes");
        }
    }

    private boolean tryWrite(GpuBuffer to, long offset, long source, long bytes) {
        lock.lock();
        try {
            errors.requireAlive();
            if (!pending.hasRoom(bytes)) {
                return false;
            }
            pending.add(to, offset, source, bytes);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Submits the pending writes and fetches another chunk. A wait for the device holds no lock. */
    private void makeRoom(long bytes) {
        makeRoom(bytes, 1);
    }

    private void makeRoom(long bytes, int writes) {
        StagingBuffer submitted = null;
        lock.lock();
        try {
            if (pending.hasRoom(bytes, writes)) {
                return;
            }
            if (!pending.isEmpty()) {
                submitted = submitWritesLocked(0);
            }
        } finally {
            lock.unlock();
        }
        releaseChunk(submitted);
        StagingBuffer fresh = writeChunks.acquire();
        boolean needed;
        lock.lock();
        try {
            needed = !pending.hasChunk();
            if (needed) {
                pending.useChunk(fresh);
            }
        } finally {
            lock.unlock();
        }
        if (!needed) {
            writeChunks.releaseUnused(fresh);
        }
    }

    private void releaseChunk(@Nullable StagingBuffer submitted) {
        if (submitted != null) {
            writeChunks.release(submitted);
        }
    }

    /** Discards the small writes to a buffer that is about to be released. */
    void dropWrites(GpuBuffer target) {
        lock.lock();
        try {
            pending.drop(target);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Submits commands that were finished before the pending writes were made: the writes go first, on their own.
     *
     * @param writes last writes, which are made with the submission
     */
    void submitFinished(long commands, QueuedWrites writes) {
        while (!trySubmitFinished(commands, writes)) {
            makeRoom(writes.bytes(), writes.writes());
        }
    }

    private boolean trySubmitFinished(long commands, QueuedWrites writes) {
        StagingBuffer submitted;
        lock.lock();
        try {
            checkAlive();
            if (writes.writes() > 0 && !pending.hasRoom(writes.bytes(), writes.writes())) {
                return false;
            }
            writes.writeTo(target);
            submitted = pending.isEmpty() ? submitLocked(commands, 0, 0) : submitWritesLocked(commands);
        } finally {
            lock.unlock();
        }
        releaseChunk(submitted);
        return true;
    }

    /** Submits the pending writes, and asks to be notified when all work submitted so far is done. */
    void submitAndNotify(CallbackSlot done) {
        StagingBuffer submitted = null;
        lock.lock();
        try {
            errors.requireAlive();
            if (pending.isEmpty()) {
                checkAlive();
                Downcalls.queueSubmitForIndex(queue, 0, 0);
                errors.check("wgpuQueueSubmitForIndex");
            } else {
                submitted = submitWritesLocked(0);
            }
            Downcalls.queueOnSubmittedWorkDone(queue, done.info());
        } finally {
            lock.unlock();
        }
        releaseChunk(submitted);
    }

    /**
     * Submits commands that begin with the pending writes, and others behind them unless they are 0.
     *
     * @return the staging of the writes, for {@link #releaseChunk}; null without writes
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the lock is held
    private @Nullable StagingBuffer submitLocked(long commands, long second, long third) {
        errors.requireAlive();
        pending.unmap();
        errors.check("wgpuBufferUnmap");
        submission.setAtIndex(ValueLayout.JAVA_LONG, 0, commands);
        submission.setAtIndex(ValueLayout.JAVA_LONG, 1, second);
        submission.setAtIndex(ValueLayout.JAVA_LONG, 2, third);
        Downcalls.queueSubmitForIndex(queue, second == 0 ? 1 : third == 0 ? 2 : 3, submission.address());
        errors.check("wgpuQueueSubmitForIndex");
        submissions++;
        return pending.end();
    }

    /** Submits the pending writes, and commands behind them unless these are 0. */
    private @Nullable StagingBuffer submitWritesLocked(long behind) {
        long encoder = Downcalls.deviceCreateCommandEncoder(device);
        pending.record(encoder);
        long commands = Downcalls.finish(encoder);
        Downcalls.releaseEncoder(encoder);
        try {
            errors.check("wgpuCommandEncoderFinish");
            return submitLocked(commands, behind, 0);
        } catch (RuntimeException e) {
            pending.cancel();
            throw e;
        } finally {
            Downcalls.releaseCommands(commands);
        }
    }

    /**
     * Makes a call that a lost device refuses, before a call that would end the process on such a device.
     *
     * <p>A write of no bytes has no other effect and takes nanoseconds. Every other call that detects the loss creates
     * an object first.
     *
     * @throws io.devicearena.DeviceLostException if the device is lost
     */
    void checkAlive() {
        errors.requireAlive();
        Downcalls.queueWriteBuffer(queue, probe.address(), 0, submission.address(), 0);
        errors.check("wgpuQueueWriteBuffer");
    }

    /**
     * Returns the address of the first bytes of a mapped buffer. A lost device destroys its buffers and still reports
     * them as mapped, and asking for their address ends the process. The lock keeps {@link #destroy} out between the
     * two calls.
     *
     * @throws io.devicearena.DeviceLostException if the device is lost
     */
    long mappedRange(GpuBuffer buffer, long length, boolean writable) {
        lock.lock();
        try {
            checkAlive();
            return writable ? buffer.mappedRange(length) : buffer.constMappedRange(length);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes the device lost, as when a driver removes it. A submission is not interrupted: a loss between its check and
     * the call itself would end the process.
     */
    void destroy(MemorySegment deviceHandle) {
        lock.lock();
        try {
            WgpuNative.wgpuDeviceDestroy(deviceHandle);
        } finally {
            lock.unlock();
        }
    }

    /** How often commands were submitted so far. */
    public long submissions() {
        return submissions;
    }

    /** Releases unused staging. */
    void trim() {
        StagingBuffer unused = null;
        lock.lock();
        try {
            if (pending.isEmpty() && pending.hasChunk()) {
                unused = pending.removeChunk();
            }
        } finally {
            lock.unlock();
        }
        if (unused != null) {
            writeChunks.releaseUnused(unused); // the ring takes this lock inside its own, so never the other way round
        }
        writeChunks.trim();
    }

    /** Releases staging and the probe; nothing may be pending. */
    void close() {
        trim();
        probe.close();
    }
}
