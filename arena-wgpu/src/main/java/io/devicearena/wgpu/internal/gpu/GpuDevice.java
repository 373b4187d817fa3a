package io.devicearena.wgpu.internal.gpu;

import io.devicearena.ArenaOutOfMemoryException;
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
    /** Room for the handles of one submission. */
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
            Strings.set(WGPUDeviceDescriptor.label(descriptor), "device arena", call);
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
        MemorySegment features = call.allocate(ValueLayout.JAVA_INT, 2);
        int count = 0;
        if (adapter.hasShaderF16()) {
            features.setAtIndex(ValueLayout.JAVA_INT, count++, WgpuNative.WGPUFeatureName_ShaderF16());
        }
        if (adapter.hasTimestamps()) {
            features.setAtIndex(ValueLayout.JAVA_INT, count++, WgpuNative.WGPUFeatureName_TimestampQuery());
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
            if (pending.hasChunk()) {
                submitted = submitLocked(0);
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

    private void giveBack(@Nullable StagingBuffer submitted) {
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

    /** Submits finished commands, behind a write that they need. */
    void submit(long commands, GpuBuffer parameters, long parameterSource, long parameterBytes) {
        requireWrite(parameters, 0, parameterBytes);
        StagingBuffer submitted;
        while (true) {
            queueLock.lock();
            try {
                errors.requireAlive();
                if (pending.hasRoom(parameterBytes)) {
                    pending.add(parameters, 0, parameterSource, parameterBytes);
                    submitted = submitLocked(commands);
                    break;
                }
            } finally {
                queueLock.unlock();
            }
            makeRoom(parameterBytes);
        }
        giveBack(submitted);
    }

    /** Submits finished commands. */
    void submit(long commands) {
        StagingBuffer submitted;
        queueLock.lock();
        try {
            submitted = submitLocked(commands);
        } finally {
            queueLock.unlock();
        }
        giveBack(submitted);
    }

    /**
     * Submits the small writes that wait, and commands behind them.
     *
     * @param commands 0 for none
     * @return the staging of the writes, to be given back, or null
     */
    private @Nullable StagingBuffer submitLocked(long commands) {
        errors.requireAlive();
        long writes = pending.isEmpty() ? 0 : pending.finish(this);
        long count = 0;
        if (writes != 0) {
            submission.setAtIndex(ValueLayout.JAVA_LONG, count++, writes);
        }
        if (commands != 0) {
            submission.setAtIndex(ValueLayout.JAVA_LONG, count++, commands);
        }
        Downcalls.queueSubmitForIndex(queueAddress, count, submission.address());
        StagingBuffer submitted = null;
        if (writes != 0) {
            Downcalls.releaseCommands(writes);
            submitted = pending.end();
        }
        errors.check("wgpuQueueSubmitForIndex");
        return submitted;
    }

    /**
     * Submits the small writes that wait.
     *
     * @throws DeviceException if the device fails
     */
    public void submitWrites() {
        StagingBuffer submitted = null;
        queueLock.lock();
        try {
            errors.requireAlive();
            if (!pending.isEmpty()) {
                submitted = submitLocked(0);
            }
        } finally {
            queueLock.unlock();
        }
        giveBack(submitted);
    }

    /**
     * Waits until everything that was written and submitted before has happened.
     *
     * @throws DeviceException if the device fails
     */
    public void flush() {
        Completion done = Completion.take();
        done.reset();
        StagingBuffer submitted;
        queueLock.lock();
        try {
            requireAnswer();
            submitted = submitLocked(0);
            Downcalls.queueOnSubmittedWorkDone(queueAddress, done.info());
        } finally {
            queueLock.unlock();
        }
        giveBack(submitted);
        await(done, "wgpuQueueOnSubmittedWorkDone");
        Completion.give(done); // not after a failure: the library might still answer
    }

    /**
     * Makes a call that a lost device refuses, ahead of one that would end the process then.
     *
     * <p>An encoder that is finished and never submitted would tell as well, but costs the driver a command pool.
     *
     * @throws io.devicearena.DeviceLostException if it does
     */
    void requireAnswer() {
        queueLock.lock();
        try {
            errors.requireAlive();
            Downcalls.queueWriteBuffer(queueAddress, probe.address(), 0, submission.address(), Integer.BYTES);
            errors.check("wgpuQueueWriteBuffer");
        } catch (ArenaOutOfMemoryException e) {
            // the library has lost the device by now, and a submission would end the process
            errors.lose("wgpuQueueWriteBuffer found no memory for its copy");
            throw e;
        } finally {
            queueLock.unlock();
        }
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
    void await(Completion asked, String call) {
        if (asked.status() == Completion.PENDING) {
            spin(asked);
        }
        requireSuccess(asked, call);
    }

    private void spin(Completion asked) {
        long begin = System.nanoTime();
        boolean paused = false;
        while (true) {
            poll();
            if (asked.status() != Completion.PENDING) {
                break;
            }
            if (System.nanoTime() - begin < SPIN_NANOS) {
                Thread.onSpinWait();
            } else {
                paused = true;
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
        if (paused) {
            requireAnswer(); // much can have happened
        }
    }

    /** Looks for an answer once; tells whether it is there. */
    boolean isDone(Completion asked, String call) {
        if (asked.status() == Completion.PENDING) {
            poll();
        }
        if (asked.status() == Completion.PENDING) {
            return false;
        }
        requireSuccess(asked, call);
        requireAnswer(); // the answer may be old, and the device lost since
        return true;
    }

    private void requireSuccess(Completion asked, String call) {
        if (asked.status() != Completion.SUCCESS) {
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

    /** Makes the device lost for good, as a driver does that is taken away: whoever uses it next finds out. */
    public void destroy() {
        WgpuNative.wgpuDeviceDestroy(handle);
    }

    /** Gives staging back that nobody uses now. */
    public void trim() {
        StagingBuffer unused = null;
        queueLock.lock();
        try {
            if (pending.isEmpty() && pending.hasChunk()) {
                unused = pending.end();
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
