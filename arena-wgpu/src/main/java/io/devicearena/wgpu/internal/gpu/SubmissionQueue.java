package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.events.SubmissionEvent;
import io.devicearena.wgpu.internal.events.WgpuRecorder;
import io.devicearena.wgpu.internal.raw.CallbackSlot;
import io.devicearena.wgpu.internal.raw.Downcalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue of a device: small writes, and submissions in order.
 *
 * <p>Small writes collect in host memory. The next submission begins with the commands that bring them to their
 * buffers. A write calls nothing of the library, so it does not wait for another thread's submission. That matters
 * where the submission waits for the device, as one to Mesa's lavapipe waits for all work before it, and holds locks of
 * the library meanwhile. A write waits only if {@link #MAX_BATCHES} batches of writes are full: there is no memory for
 * one more then, and it makes a submission itself.
 *
 * <p>The library ends the process when commands are submitted to a lost device. So submissions hold one lock, and each
 * checks the device first.
 *
 * <p>Threads: safe for any thread. A thread that waits for {@link #order} does not hold {@link #lock}. Lifetime: that
 * of the device.
 */
public final class SubmissionQueue {
    /** The most bytes of one small write. */
    public static final long MAX_WRITE_BYTES = PendingWrites.MAX_BYTES;

    /** The most inputs of a run whose words its commands write; each needs a few times {@link Commands#WORDS_BYTES}. */
    public static final int MAX_RECORDED_WRITES = 1 << 15;

    /** The chunks of staging for the words of {@link #MAX_RECORDED_WRITES}. */
    private static final int WORDS_CHUNKS = 4;

    /** The batches of small writes that wait: 4 MiB, or 8,192 writes to different places. */
    private static final int MAX_BATCHES = 8;

    /**
     * The kernel that writes bytes of words, for {@link #merge}. Threads: immutable.
     *
     * @param pipeline has the words as group 0 and the list as group 1; each workgroup takes {@link #WORKGROUP} entries
     * @param list holds {@link #LIST_BYTES}: entries of four words, which are the index of a word in its window, a mask
     *     of the bits to write, these bits, and in the first entry the number of all
     * @param listGroup binds the list
     */
    public record MergeKernel(GpuPipeline pipeline, GpuBuffer list, GpuBindGroup listGroup) {
        /** The entries that a workgroup takes. */
        public static final int WORKGROUP = 64;

        /** The size of the list. */
        public static final long LIST_BYTES =
                (long) PendingWrites.PendingMerges.MAX_WORDS * PendingWrites.PendingMerges.ENTRY_BYTES;
    }

    /**
     * A part of a buffer whose words {@link #merge} writes. Threads: immutable.
     *
     * @param begin where it begins in the buffer
     * @param group binds it
     */
    public record MergeWindow(MergeKernel kernel, GpuBuffer buffer, long begin, GpuBindGroup group) {}

    private final GpuDevice owner;
    private final long queue;
    /**
     * Whether a submission waits for the device, so that a writer makes one only if it must. Other devices get full
     * batches at once, since they read them while writers fill the next.
     */
    private final boolean submissionWaits;
    /** Held by the thread that records a submission, until it is made. */
    private final ReentrantLock order = new ReentrantLock();
    /** Guards the batches; never held during a submission. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Keeps {@link #destroy} out while the address of a mapped buffer is asked for. */
    private final ReentrantLock mapping = new ReentrantLock();
    /** The batches that wait, in order; writes go to the last. */
    private final ArrayDeque<PendingWrites> waiting = new ArrayDeque<>();
    /** The batches in the commands that are being recorded, in order. Changes need both locks. */
    private final List<PendingWrites> taken = new ArrayList<>();
    /** Empty batches for later use. */
    private final ArrayDeque<PendingWrites> free = new ArrayDeque<>();

    private int batches;

    /** The staging of the submission that is being recorded; {@link #order} guards it, as the next two. */
    final PendingWrites.WriteStaging staging;
    /** Records the writes of submissions that have no commands of their own, or finished ones. */
    private final Commands writes;

    /** Two words for the handles of submitted commands, which the library takes as an array. */
    private final MemorySegment submission;
    /** The target of {@link #checkAlive}. */
    private final GpuBuffer probe;
    /** How often commands were submitted; {@link #order} guards writes. */
    private volatile long submissions;

    SubmissionQueue(GpuDevice device, MemorySegment queue, Arena memory) {
        this.owner = device;
        this.queue = queue.address();
        this.submissionWaits = device.adapter().isEmulated();
        this.staging = new PendingWrites.WriteStaging(device, MAX_BATCHES + 1 + WORDS_CHUNKS);
        this.writes = new Commands(device, this);
        this.submission = memory.allocate(ValueLayout.JAVA_LONG, 2);
        this.probe = GpuBuffer.create(
                device, "device arena probe", Integer.BYTES, WgpuNative.WGPUBufferUsage_CopyDst(), false);
    }

    /**
     * Begins exclusive use of the queue: until {@link #end} or {@link #cancel}, no other thread submits. What other
     * threads write meanwhile comes later.
     */
    void begin() {
        order.lock();
        try {
            owner.errors.requireAlive();
        } catch (RuntimeException | Error e) {
            cancel();
            throw e;
        }
    }

    /** Ends exclusive use of the queue after {@link #submit}. */
    void end() {
        try {
            staging.release();
        } finally {
            order.unlock();
        }
    }

    /** Ends exclusive use of the queue without a submission; the earlier writes wait for the next one. */
    void cancel() {
        lock.lock();
        try {
            while (!taken.isEmpty()) {
                waiting.push(taken.removeLast());
            }
        } finally {
            lock.unlock();
        }
        try {
            staging.cancel();
        } finally {
            order.unlock();
        }
    }

    /**
     * Writes host memory to a buffer. Later submissions see it. The caller may reuse the memory when this returns.
     *
     * @param offset a multiple of 4
     * @param source an address
     * @param bytes a multiple of 4, at most {@link #MAX_WRITE_BYTES}
     */
    public void write(GpuBuffer to, long offset, long source, long bytes) {
        to.requireRange(offset, bytes);
        if (bytes > MAX_WRITE_BYTES) {
            throw new AssertionError("small write of " + bytes + " bytes");
        }
        lock.lock();
        try {
            while (!openBatch().add(to, offset, source, bytes)) {
                // that batch is full now, so the next one is another
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes bytes of a word of a buffer, in order with other writes. Later submissions see them.
     *
     * <p>To read a word, change it on the host and write it back would overwrite what another thread wrote to its other
     * bytes meanwhile. On the device the change has its place in the queue like any write.
     *
     * @param word the index of the word in the window
     * @param mask the bits to write, of a little-endian word
     * @param bits their new values
     */
    public void merge(MergeWindow window, int word, int mask, int bits) {
        window.buffer().requireRange(window.begin() + (long) word * Integer.BYTES, Integer.BYTES);
        lock.lock();
        try {
            while (!openBatch().merge(window, word, mask, bits)) {
                // that batch is full now, so the next one is another
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The batch that takes the next write. A full one is submitted, or another one is taken if that would wait for
     * another thread or the device. The lock is held, but not while this submits.
     */
    private PendingWrites openBatch() {
        if (order.isHeldByCurrentThread()) {
            throw new AssertionError("a small write while commands are recorded");
        }
        owner.errors.requireAlive();
        while (waiting.isEmpty() || waiting.getLast().isFull()) {
            boolean ordered = !waiting.isEmpty() && !submissionWaits && order.tryLock();
            if (ordered || !addBatch()) {
                lock.unlock();
                try {
                    submitWaiting(ordered);
                } finally {
                    lock.lock();
                }
            }
        }
        return waiting.getLast();
    }

    /** Submits the batches that wait, after another thread's submission; its order may be this thread's already. */
    private void submitWaiting(boolean ordered) {
        if (!ordered) {
            order.lock();
        }
        try {
            if (take()) {
                submitWrites(0);
            }
        } finally {
            order.unlock();
        }
    }

    /** Adds an empty batch, or returns false if there are too many. The lock is held. */
    private boolean addBatch() {
        PendingWrites batch = free.poll();
        if (batch == null && batches < MAX_BATCHES) {
            batch = new PendingWrites();
            batches++;
            owner.countStaging(PendingWrites.MAX_BYTES);
        }
        if (batch != null) {
            waiting.add(batch);
        }
        return batch != null;
    }

    /** Discards the small writes to a buffer that is about to be released. */
    public void dropWrites(GpuBuffer released) {
        if (!dropWaiting(released)) {
            order.lock(); // until the commands that use the buffer are submitted
            try {
                dropWaiting(released);
            } finally {
                order.unlock();
            }
        }
    }

    /** Returns false if commands that are being recorded use the buffer. */
    private boolean dropWaiting(GpuBuffer released) {
        lock.lock();
        try {
            boolean used = false;
            for (PendingWrites batch : taken) {
                used |= batch.hasTarget(released);
            }
            for (PendingWrites batch : waiting) {
                batch.drop(released);
            }
            return !used;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the batches that wait; returns whether there are any. */
    private boolean take() {
        lock.lock();
        try {
            while (!waiting.isEmpty()) {
                PendingWrites batch = waiting.remove();
                if (batch.isEmpty()) {
                    free.push(batch);
                } else {
                    taken.add(batch);
                }
            }
            return !taken.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Records all writes, before any other command. */
    void record(Commands recording) {
        take();
        for (int i = 0; i < taken.size(); i++) {
            taken.get(i).record(recording, staging);
        }
    }

    /** Submits commands that were finished before the pending writes were made: the writes go first, on their own. */
    void submitFinished(long commands) {
        order.lock();
        try {
            checkAlive();
            if (take()) {
                submitWrites(commands);
            } else {
                submit(commands, 0);
            }
        } finally {
            order.unlock();
        }
    }

    /** Submits the pending writes, and asks to be notified when all work submitted so far is done. */
    void submitAndNotify(CallbackSlot done) {
        order.lock();
        try {
            owner.errors.requireAlive();
            if (take()) {
                submitWrites(0);
            } else {
                checkAlive();
                Downcalls.queueSubmitForIndex(queue, 0, 0);
                owner.errors.check("wgpuQueueSubmitForIndex");
            }
            Downcalls.queueOnSubmittedWorkDone(queue, done.info());
        } finally {
            order.unlock();
        }
    }

    /** Submits commands that begin with the writes, and others behind them unless these are 0. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // the order is held
    void submit(long commands, long behind) {
        owner.errors.requireAlive();
        staging.unmap();
        submission.setAtIndex(ValueLayout.JAVA_LONG, 0, commands);
        submission.setAtIndex(ValueLayout.JAVA_LONG, 1, behind);
        SubmissionEvent event = WgpuRecorder.beginSubmission();
        Downcalls.queueSubmitForIndex(queue, behind == 0 ? 1 : 2, submission.address());
        owner.errors.check("wgpuQueueSubmitForIndex");
        if (event != null) {
            WgpuRecorder.endSubmission(event, owner.adapter().name(), submissions + 1);
        }
        submissions++;
        lock.lock();
        try {
            while (!taken.isEmpty()) {
                PendingWrites batch = taken.removeLast();
                batch.clear();
                free.push(batch);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Submits the pending writes, and commands behind them unless these are 0. */
    private void submitWrites(long behind) {
        try (Commands recording = writes.begin()) {
            recording.submit(behind);
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
        owner.errors.requireAlive();
        Downcalls.queueWriteBuffer(queue, probe.address, 0, submission.address(), 0);
        owner.errors.check("wgpuQueueWriteBuffer");
    }

    /**
     * Returns the address of the first bytes of a mapped buffer. A lost device destroys its buffers and still reports
     * them as mapped, and asking for their address ends the process. A lock keeps {@link #destroy} out between the two
     * calls.
     *
     * @throws io.devicearena.DeviceLostException if the device is lost
     */
    long mappedRange(GpuBuffer buffer, long length, boolean writable) {
        mapping.lock();
        try {
            checkAlive();
            return buffer.mappedRange(length, writable);
        } finally {
            mapping.unlock();
        }
    }

    /**
     * Makes the device lost, as when a driver removes it. A submission is not interrupted: a loss between its check and
     * the call itself would end the process.
     */
    void destroy(MemorySegment deviceHandle) {
        order.lock();
        mapping.lock();
        try {
            WgpuNative.wgpuDeviceDestroy(deviceHandle);
        } finally {
            mapping.unlock();
            order.unlock();
        }
    }

    /** How often commands were submitted so far. */
    public long submissions() {
        return submissions;
    }

    /** Releases what no write uses. */
    void trim() {
        lock.lock();
        try {
            for (PendingWrites batch : waiting) {
                if (batch.isEmpty()) {
                    free.push(batch);
                }
            }
            waiting.removeIf(PendingWrites::isEmpty);
            batches -= free.size();
            owner.countStaging(-free.size() * PendingWrites.MAX_BYTES);
            free.forEach(PendingWrites::close);
            free.clear();
        } finally {
            lock.unlock();
        }
        staging.trim();
    }

    /** Releases everything; no write may be pending. */
    void close() {
        trim();
        probe.close();
    }
}
