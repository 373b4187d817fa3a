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
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

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

    /**
     * The library keeps what is written to the queue in host memory until it was submitted and found done. After this
     * many bytes the writer submits, and after four times as many it waits.
     */
    private static final long SUBMIT_BYTES = 4L << 20;

    /** What the library takes at least for each write to the queue, for the sum above. */
    private static final long WRITE_OVERHEAD = 4096;

    private final GpuAdapter adapter;
    private final MemorySegment handle;
    private final long address;
    private final MemorySegment queue;
    private final long queueAddress;
    private final GpuErrors errors;
    private final ReentrantLock queueLock = new ReentrantLock();
    private final ArrayDeque<Completion> completions = new ArrayDeque<>();

    private long unsubmittedBytes;
    private long unawaitedBytes;

    private GpuDevice(GpuAdapter adapter, MemorySegment handle, GpuErrors errors) {
        this.adapter = adapter;
        this.handle = handle;
        this.address = handle.address();
        this.queue = WgpuNative.wgpuDeviceGetQueue(handle);
        this.queueAddress = queue.address();
        this.errors = errors;
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
            return new GpuDevice(adapter, request(instance, adapter, descriptor, call), errors);
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
     * @param bytes a multiple of 4; few enough that the library's own copy of them does no harm
     */
    public void write(GpuBuffer to, long offset, long source, long bytes) {
        requireRange(to, offset, bytes);
        boolean full;
        queueLock.lock();
        try {
            writeLocked(to, offset, source, bytes);
            full = unsubmittedBytes >= SUBMIT_BYTES;
            if (full) {
                submitLocked(0, 0);
            }
        } finally {
            queueLock.unlock();
        }
        if (full) {
            limitUnawaited();
        }
    }

    private void writeLocked(GpuBuffer to, long offset, long source, long bytes) {
        errors.requireAlive();
        Downcalls.queueWriteBuffer(queueAddress, to.address(), offset, source, bytes);
        try {
            errors.check("wgpuQueueWriteBuffer");
        } catch (ArenaOutOfMemoryException e) {
            // the library has lost the device by now, and a submission would end the process
            errors.lose("wgpuQueueWriteBuffer of " + bytes + " bytes found no memory for its copy");
            throw e;
        }
        unsubmittedBytes += bytes + WRITE_OVERHEAD;
        unawaitedBytes += bytes + WRITE_OVERHEAD;
    }

    private void limitUnawaited() {
        poll();
        boolean wait;
        queueLock.lock();
        try {
            wait = unawaitedBytes >= 4 * SUBMIT_BYTES;
        } finally {
            queueLock.unlock();
        }
        if (wait) {
            flush();
        }
    }

    /** Submits finished commands, behind a write that they need. */
    void submit(long commandsArray, GpuBuffer parameters, long parameterSource, long parameterBytes) {
        requireRange(parameters, 0, parameterBytes);
        queueLock.lock();
        try {
            writeLocked(parameters, 0, parameterSource, parameterBytes);
            submitLocked(1, commandsArray);
        } finally {
            queueLock.unlock();
        }
    }

    /** Submits finished commands. */
    void submit(long commandsArray) {
        queueLock.lock();
        try {
            submitLocked(1, commandsArray);
        } finally {
            queueLock.unlock();
        }
    }

    private void submitLocked(long count, long commandsArray) {
        errors.requireAlive();
        Downcalls.queueSubmitForIndex(queueAddress, count, commandsArray);
        unsubmittedBytes = 0;
        errors.check("wgpuQueueSubmitForIndex");
    }

    /**
     * Waits until everything that was written and submitted before has happened.
     *
     * @throws DeviceException if the device fails
     */
    public void flush() {
        Completion done = takeCompletion();
        done.reset();
        queueLock.lock();
        try {
            requireAnswer();
            submitLocked(0, 0);
            unawaitedBytes = 0;
            Downcalls.queueOnSubmittedWorkDone(queueAddress, done.info());
        } finally {
            queueLock.unlock();
        }
        await(done, "wgpuQueueOnSubmittedWorkDone");
        returnCompletion(done);
    }

    /**
     * Makes a call that a lost device refuses, ahead of one that would end the process then.
     *
     * @throws io.devicearena.DeviceLostException if it does
     */
    void requireAnswer() {
        errors.requireAlive();
        long encoder = Downcalls.deviceCreateCommandEncoder(address);
        long nothing = Downcalls.finish(encoder);
        Downcalls.releaseEncoder(encoder);
        Downcalls.releaseCommands(nothing);
        errors.check("wgpuCommandEncoderFinish");
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

    private Completion takeCompletion() {
        synchronized (completions) {
            Completion free = completions.poll();
            return free == null ? new Completion() : free;
        }
    }

    /** Not after a failure: the library might still answer. */
    private void returnCompletion(Completion answered) {
        synchronized (completions) {
            completions.push(answered);
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

    /** Gives the device back; waits for the work that is under way. */
    @Override
    public void close() {
        WgpuNative.wgpuQueueRelease(queue);
        WgpuNative.wgpuDeviceRelease(handle);
        errors.forget();
    }
}
