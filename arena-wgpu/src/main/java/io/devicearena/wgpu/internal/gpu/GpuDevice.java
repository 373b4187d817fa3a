package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.raw.CallbackSlot;
import io.devicearena.wgpu.internal.raw.Downcalls;
import io.devicearena.wgpu.internal.raw.NativeText;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUDeviceDescriptor;
import io.devicearena.wgpu.ffi.WGPURequestDeviceCallback;
import io.devicearena.wgpu.ffi.WGPURequestDeviceCallbackInfo;
import io.devicearena.wgpu.ffi.WGPUStringView;
import io.devicearena.wgpu.ffi.WGPUUncapturedErrorCallbackInfo;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An adapter in use: its queue, its errors, and the way to wait for it.
 *
 * <p>The library ends the process when commands are submitted to a device that is lost, and a write that finds no memory
 * loses the device. So writes to the queue and submissions hold one lock, and each is checked before the next.
 *
 * <p>A waiting poll of the library makes the submissions of all other threads wait too. So nobody waits inside the
 * library: a wait asks again and again, first without pause, later with short ones.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}, which nobody may call while the device is used.
 */
public final class GpuDevice implements AutoCloseable {
    /** Waits shorter than this are spent asking: sleeping and waking take longer than most small transfers. */
    private static final long SPIN_NANOS = 2_000_000;

    private static final long PAUSE_NANOS = 50_000;

    /** The most bytes of one small write. */
    public static final long MOST_WRITE_BYTES = PendingWrites.CHUNK_BYTES;

    /** Chunks for small writes: while the device is busy with some, writers fill the others. */
    private static final int WRITE_CHUNKS = 8;

    private final GpuAdapter adapter;
    private final MemorySegment handle;
    private final long address;
    private final MemorySegment queue;
    private final long queueAddress;
    private final GpuErrors errors;
    private final ReentrantLock queueLock = new ReentrantLock();
    private final PendingWrites pending = new PendingWrites();
    private final StagingRing writeChunks = new StagingRing(this, PendingWrites.CHUNK_BYTES, WRITE_CHUNKS);
    /** A word for each handle of the commands that are submitted, which the library takes as an array. */
    private final MemorySegment submission = AddressSpace.FOREVER.allocate(ValueLayout.JAVA_LONG, 2);
    /** What {@link #requireAnswer} writes to. */
    private final GpuBuffer probe;

    private GpuDevice(GpuAdapter adapter, MemorySegment handle, GpuErrors errors) {
        this.adapter = adapter;
        this.handle = handle;
        this.address = handle.address();
        this.queue = WgpuNative.wgpuDeviceGetQueue(handle);
        this.queueAddress = queue.address();
        this.errors = errors;
        this.probe = GpuBuffer.create(
                this, "device arena probe", Integer.BYTES, WgpuNative.WGPUBufferUsage_CopyDst(), false);
    }

    /**
     * Opens a device with everything its adapter offers in limits, and with the features that this backend uses.
     *
     * @throws DeviceException if the adapter gives none
     */
    public static GpuDevice open(GpuInstance instance, GpuAdapter adapter) {
        GpuErrors errors = new GpuErrors(adapter.name());
        try (Arena call = Arena.ofConfined()) {
            MemorySegment descriptor = call.allocate(WGPUDeviceDescriptor.layout());
            NativeText.set(WGPUDeviceDescriptor.label(descriptor), "device arena", call);
            requireFeatures(adapter, descriptor, call);
            WGPUDeviceDescriptor.requiredLimits(descriptor, adapter.nativeLimits());
            MemorySegment uncaptured = WGPUDeviceDescriptor.uncapturedErrorCallbackInfo(descriptor);
            WGPUUncapturedErrorCallbackInfo.callback(uncaptured, GpuErrors.callback());
            WGPUUncapturedErrorCallbackInfo.userdata1(uncaptured, errors.userData());
            MemorySegment handle = request(instance, adapter, descriptor, call);
            try {
                return new GpuDevice(adapter, handle, errors);
            } catch (RuntimeException e) {
                WgpuNative.wgpuDeviceRelease(handle);
                throw e;
            }
        } catch (RuntimeException e) {
            errors.forget();
            throw e;
        }
    }

    private static void requireFeatures(GpuAdapter adapter, MemorySegment descriptor, Arena call) {
        MemorySegment features = call.allocate(ValueLayout.JAVA_INT, 3);
        int count = 0;
        if (adapter.hasShaderF16()) {
            features.setAtIndex(ValueLayout.JAVA_INT, count++, WgpuNative.WGPUFeatureName_ShaderF16());
        }
        if (adapter.hasTimestamps()) {
            features.setAtIndex(ValueLayout.JAVA_INT, count++, WgpuNative.WGPUFeatureName_TimestampQuery());
        }
        if (adapter.bindsStaging()) {
            features.setAtIndex(ValueLayout.JAVA_INT, count++, WgpuNative.WGPUNativeFeature_MappablePrimaryBuffers());
        }
        WGPUDeviceDescriptor.requiredFeatureCount(descriptor, count);
        WGPUDeviceDescriptor.requiredFeatures(descriptor, features);
    }

    private static MemorySegment request(
            GpuInstance instance, GpuAdapter adapter, MemorySegment descriptor, Arena call) {
        AtomicReference<MemorySegment> device = new AtomicReference<>(MemorySegment.NULL);
        AtomicReference<String> refusal = new AtomicReference<>("no answer");
        MemorySegment callback = WGPURequestDeviceCallback.allocate(
                (status, found, message, _, _) -> {
                    if (status == WgpuNative.WGPURequestDeviceStatus_Success()) {
                        device.set(found);
                    } else {
                        refusal.set(AddressSpace.text(
                                WGPUStringView.data(message).address(), WGPUStringView.length(message)));
                    }
                },
                AddressSpace.FOREVER);
        MemorySegment info = call.allocate(WGPURequestDeviceCallbackInfo.layout());
        WGPURequestDeviceCallbackInfo.mode(info, WgpuNative.WGPUCallbackMode_AllowProcessEvents());
        WGPURequestDeviceCallbackInfo.callback(info, callback);
        WgpuNative.wgpuAdapterRequestDevice(call, adapter.handle(), descriptor, info);
        WgpuNative.wgpuInstanceProcessEvents(instance.handle());
        if (device.get().address() == 0) {
            throw new DeviceException("device '" + adapter.name() + "': expected the adapter to open, got: "
                    + refusal.get() + "; close other programs that use it, or choose another device");
        }
        return device.get();
    }

    MemorySegment segment() {
        return handle;
    }

    long address() {
        return address;
    }

    GpuErrors errors() {
        return errors;
    }

    /** The library's handle of the device, for engines with bindings of their own. */
    public MemorySegment handle() {
        return handle;
    }

    /** The library's handle of the queue, for engines with bindings of their own. */
    public MemorySegment queue() {
        return queue;
    }

    /** The adapter it was opened from. */
    public GpuAdapter adapter() {
        return adapter;
    }

    /** What it allows. */
    public GpuLimits limits() {
        return adapter.limits();
    }

    /** Whether it is lost; it never comes back. */
    public boolean isLost() {
        return errors.isLost();
    }

    /**
     * Throws unless the device can be used.
     *
     * @throws io.devicearena.DeviceLostException if it is lost
     */
    public void requireAlive() {
        errors.requireAlive();
    }

    /** Takes a buffer of the device's memory, all of it zero. See {@link GpuBuffer}. */
    public GpuBuffer createBuffer(String label, long bytes, long usage) {
        return GpuBuffer.create(this, label, bytes, usage, false);
    }

    /**
     * Writes host memory to a buffer. Later submissions see it; the memory is the caller's again when this returns.
     *
     * @param offset a multiple of 4
     * @param source an address
     * @param bytes a multiple of 4, at most {@link #MOST_WRITE_BYTES}
     */
    public void write(GpuBuffer to, long offset, long source, long bytes) {
        requireWrite(to, offset, bytes);
        while (!tryWrite(to, offset, source, bytes)) {
            makeRoom(bytes);
        }
    }

    private static void requireWrite(GpuBuffer to, long offset, long bytes) {
        requireRange(to, offset, bytes);
        if (bytes > MOST_WRITE_BYTES) {
            throw new AssertionError("small write of " + bytes + " bytes");
        }
    }

    private boolean tryWrite(GpuBuffer to, long offset, long source, long bytes) {
        queueLock.lock();
        try {
            errors.requireAlive();
            if (!pending.hasRoom(bytes)) {
                return false;
            }
            pending.add(to, offset, source, bytes);
            return true;
        } finally {
            queueLock.unlock();
        }
    }

    /** Submits what leaves no room, and gets another chunk; a wait for the device holds no lock. */
    private void makeRoom(long bytes) {
        StagingBuffer submitted = null;
        queueLock.lock();
        try {
            if (pending.hasRoom(bytes)) {
                return;
            }
            if (!pending.isEmpty()) {
                submitted = submitWritesLocked(0);
            }
        } finally {
            queueLock.unlock();
        }
        giveBack(submitted);
        StagingBuffer fresh = writeChunks.take();
        boolean needed;
        queueLock.lock();
        try {
            needed = !pending.hasChunk();
            if (needed) {
                pending.begin(fresh);
            }
        } finally {
            queueLock.unlock();
        }
        if (!needed) {
            writeChunks.giveUnused(fresh);
        }
    }

    /** Takes the staging back of writes that were submitted. */
    void giveBack(@Nullable StagingBuffer submitted) {
        if (submitted != null) {
            writeChunks.give(submitted);
        }
    }

    /** Forgets the small writes to a buffer that is about to go. */
    void dropWrites(GpuBuffer target) {
        queueLock.lock();
        try {
            pending.drop(target);
        } finally {
            queueLock.unlock();
        }
    }

    /**
     * Begins a recording: nobody else writes or submits until it is submitted or cancelled, so that all that was written
     * before is copied at its front.
     */
    void beginRecording() {
        queueLock.lock();
        try {
            errors.requireAlive();
        } catch (RuntimeException e) {
            queueLock.unlock();
            throw e;
        }
    }

    /** Begins a recording with a last write to a buffer's start, whose bytes are handed over with the submission. */
    void beginRecording(GpuBuffer parameters, long bytes) {
        requireWrite(parameters, 0, bytes);
        while (true) {
            beginRecording();
            if (pending.hasRoom(bytes)) {
                pending.reserve(parameters, bytes);
                return;
            }
            queueLock.unlock();
            makeRoom(bytes);
        }
    }

    /** Records the writes at the front of an encoder. */
    void recordWrites(long encoder) {
        pending.record(encoder);
    }

    /** Ends a recording that is not submitted. */
    void cancelRecording() {
        pending.cancel();
        queueLock.unlock();
    }

    /** Hands over the bytes that the recording began with a place for. */
    void fillParameters(long source, long bytes) {
        pending.fill(source, bytes);
    }

    /**
     * Submits the commands of a recording, which thereby ends; after a failure it is to be cancelled.
     *
     * @return the staging of the writes, to be given back, or null
     */
    @Nullable StagingBuffer submitRecording(long commands) {
        StagingBuffer submitted = submitLocked(commands, 0);
        queueLock.unlock();
        return submitted;
    }

    /** Submits commands that know nothing of the writes that wait: these come first, in commands of their own. */
    void submitFinished(long commands) {
        StagingBuffer submitted;
        queueLock.lock();
        try {
            requireAnswer();
            submitted = pending.isEmpty() ? submitLocked(commands, 0) : submitWritesLocked(commands);
        } finally {
            queueLock.unlock();
        }
        giveBack(submitted);
    }

    /**
     * Submits commands that begin with the writes that wait, and others behind them unless these are 0.
     *
     * @return the staging of the writes, to be given back, or null
     */
    private @Nullable StagingBuffer submitLocked(long commands, long behind) {
        errors.requireAlive();
        pending.unmap();
        errors.check("wgpuBufferUnmap");
        submission.setAtIndex(ValueLayout.JAVA_LONG, 0, commands);
        submission.setAtIndex(ValueLayout.JAVA_LONG, 1, behind);
        Downcalls.queueSubmitForIndex(queueAddress, behind == 0 ? 1 : 2, submission.address());
        errors.check("wgpuQueueSubmitForIndex");
        return pending.end();
    }

    /** Submits the writes that wait, and commands behind them unless these are 0. */
    private @Nullable StagingBuffer submitWritesLocked(long behind) {
        long encoder = Downcalls.deviceCreateCommandEncoder(address);
        pending.record(encoder);
        long commands = Downcalls.finish(encoder);
        Downcalls.releaseEncoder(encoder);
        try {
            errors.check("wgpuCommandEncoderFinish");
            return submitLocked(commands, behind);
        } catch (RuntimeException e) {
            pending.cancel();
            throw e;
        } finally {
            Downcalls.releaseCommands(commands);
        }
    }

    /**
     * Waits until everything that was written and submitted before has happened.
     *
     * @throws DeviceException if the device fails
     */
    public void flush() {
        CallbackSlot done = CallbackSlot.take();
        done.reset();
        StagingBuffer submitted = null;
        queueLock.lock();
        try {
            errors.requireAlive();
            if (pending.isEmpty()) {
                requireAnswer();
                Downcalls.queueSubmitForIndex(queueAddress, 0, 0);
                errors.check("wgpuQueueSubmitForIndex");
            } else {
                submitted = submitWritesLocked(0);
            }
            Downcalls.queueOnSubmittedWorkDone(queueAddress, done.info());
        } finally {
            queueLock.unlock();
        }
        giveBack(submitted);
        await(done, "wgpuQueueOnSubmittedWorkDone");
        requireAnswer(); // work on a device that was lost meanwhile is told as done
        CallbackSlot.give(done); // not after a failure: the library might still answer
    }

    /**
     * Makes a call that a lost device refuses, ahead of one that would end the process then.
     *
     * <p>A write of nothing does nothing else and takes nanoseconds; every other call that tells makes something first.
     *
     * @throws io.devicearena.DeviceLostException if it does
     */
    void requireAnswer() {
        errors.requireAlive();
        Downcalls.queueWriteBuffer(queueAddress, probe.address(), 0, submission.address(), 0);
        errors.check("wgpuQueueWriteBuffer");
    }

    /** Runs the callbacks of what is done; never waits. */
    void poll() {
        errors.requireAlive();
        Downcalls.poll(address);
        errors.check("wgpuDevicePoll");
    }

    /**
     * Waits for an answer.
     *
     * @throws DeviceException if the answer is that it failed, or the device is lost
     */
    void await(CallbackSlot asked, String call) {
        if (asked.status() == CallbackSlot.PENDING) {
            spin(asked);
        }
        requireSuccess(asked, call);
    }

    /**
     * Where the host finds the first bytes of a buffer, which must be mapped. A device that was lost meanwhile has destroyed
     * its buffers and answers that they are mapped, and asking where would end the process: so nobody can lose it between
     * the two questions.
     *
     * @throws io.devicearena.DeviceLostException if the device is lost
     */
    long mappedRange(GpuBuffer buffer, long length, boolean writable) {
        queueLock.lock();
        try {
            requireAnswer();
            return writable ? buffer.mappedRange(length) : buffer.constMappedRange(length);
        } finally {
            queueLock.unlock();
        }
    }

    private void spin(CallbackSlot asked) {
        long begin = System.nanoTime();
        while (true) {
            poll();
            if (asked.status() != CallbackSlot.PENDING) {
                break;
            }
            if (System.nanoTime() - begin < SPIN_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
    }

    /** Looks for an answer once; tells whether it is there. */
    boolean isDone(CallbackSlot asked, String call) {
        if (asked.status() == CallbackSlot.PENDING) {
            poll();
        }
        if (asked.status() == CallbackSlot.PENDING) {
            return false;
        }
        requireSuccess(asked, call);
        return true;
    }

    private void requireSuccess(CallbackSlot asked, String call) {
        if (asked.status() != CallbackSlot.SUCCESS) {
            String message = asked.message();
            errors.drop(); // the library tells a failed map twice
            throw errors.exception(call, message);
        }
    }

    static void requireRange(GpuBuffer buffer, long offset, long bytes) {
        if (((offset | bytes) & 3) != 0 || bytes <= 0 || offset < 0 || offset > buffer.bytes() - bytes) {
            throw new AssertionError(
                    "range of " + bytes + " bytes at " + offset + " of a buffer of " + buffer.bytes() + " bytes");
        }
    }

    /**
     * Makes the device lost for good, as a driver does that is taken away: whoever uses it next finds out. Not within a
     * submission, whose check can be followed by a loss before the call itself: nothing outside the library can help that.
     */
    public void destroy() {
        queueLock.lock();
        try {
            WgpuNative.wgpuDeviceDestroy(handle);
        } finally {
            queueLock.unlock();
        }
    }

    /** Gives staging back that nobody uses now. */
    public void trim() {
        StagingBuffer unused = null;
        queueLock.lock();
        try {
            if (pending.isEmpty() && pending.hasChunk()) {
                unused = pending.takeChunk();
            }
        } finally {
            queueLock.unlock();
        }
        if (unused != null) {
            writeChunks.giveUnused(unused); // the ring asks for the queue's lock in its own: never the other way round
        }
        writeChunks.trim();
    }

    /** Gives the device back; waits for the work that is under way. */
    @Override
    public void close() {
        trim();
        probe.close();
        WgpuNative.wgpuQueueRelease(queue);
        WgpuNative.wgpuDeviceRelease(handle);
        errors.forget();
    }
}
