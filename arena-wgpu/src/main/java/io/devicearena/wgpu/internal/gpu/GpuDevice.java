package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.logging.NativeLog;
import io.devicearena.wgpu.internal.raw.CallbackSlot;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An open adapter: the owner of the native device, of its {@linkplain SubmissionQueue queue}, of its errors and of the
 * {@linkplain DevicePoller poller} that waits for it.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; no other thread may use the device then.
 */
public final class GpuDevice implements AutoCloseable {
    private final GpuAdapter adapter;
    private final KernelFacts limits;
    private final Arena memory;
    private final MemorySegment handle;
    final long address;
    private final MemorySegment queueHandle;
    final GpuErrors errors;
    final DevicePoller poller;
    private final SubmissionQueue queue;
    /** Where staging for large uploads is. */
    final HostStaging hostStaging = new HostStaging(this);

    private final AtomicLong staging = new AtomicLong();
    private final AtomicLong peakStaging = new AtomicLong();

    private GpuDevice(GpuAdapter adapter, Arena memory, MemorySegment handle, GpuErrors errors) {
        this.adapter = adapter;
        this.memory = memory;
        this.handle = handle.reinterpret(memory, WgpuNative::wgpuDeviceRelease);
        this.address = handle.address();
        this.queueHandle = WgpuNative.wgpuDeviceGetQueue(this.handle).reinterpret(memory, WgpuNative::wgpuQueueRelease);
        this.limits = adapter.facts(
                adapter.facts().hasTimestamps()
                        ? OptionalDouble.of(WgpuNative.wgpuQueueGetTimestampPeriod(queueHandle))
                        : OptionalDouble.empty());
        this.errors = errors;
        this.poller = new DevicePoller(this);
        this.queue = new SubmissionQueue(this, queueHandle, memory);
    }

    /**
     * Opens a device with everything that its adapter offers in limits, and with the features that this backend uses.
     *
     * @throws DeviceException if the adapter refuses
     */
    public static GpuDevice open(GpuInstance instance, GpuAdapter adapter) {
        NativeLog.connect();
        NativeLog.LOGGER.log(
                System.Logger.Level.DEBUG,
                () -> "opens device '" + adapter.name() + "' ("
                        + adapter.facts().backend() + ")");
        GpuErrors errors = new GpuErrors(adapter.name());
        Arena memory = Arena.ofShared();
        try {
            return new GpuDevice(adapter, memory, DeviceRequest.send(instance, adapter, errors), errors);
        } catch (RuntimeException | Error e) {
            memory.close();
            errors.unregister();
            throw e;
        }
    }

    /** The library's handle of the device. */
    public MemorySegment handle() {
        return handle;
    }

    /** The library's handle of the queue. */
    public MemorySegment queueHandle() {
        return queueHandle;
    }

    /** The queue: small writes and submissions. */
    public SubmissionQueue queue() {
        return queue;
    }

    /** The adapter that the device was opened from. */
    public GpuAdapter adapter() {
        return adapter;
    }

    /** Counts staging that is allocated, or with a negative number freed. */
    void countStaging(long bytes) {
        peakStaging.accumulateAndGet(staging.addAndGet(bytes), Math::max);
    }

    /** The staging that is allocated now, in bytes. */
    public long stagingBytes() {
        return staging.get();
    }

    /** The most staging that was allocated at a time, in bytes. */
    public long peakStagingBytes() {
        return peakStaging.get();
    }

    /** What the device offers to kernels. */
    public KernelFacts limits() {
        return limits;
    }

    /** The bytes of windows that bindings of a buffer have, side by side: where one ends another one may begin. */
    public long windowBytes() {
        return limits.maxBindingBytes() & -GpuLimits.MAX_BINDING_ALIGNMENT;
    }

    /** Whether the device is lost; a lost device stays lost. */
    public boolean isLost() {
        return errors.isLost();
    }

    /**
     * Throws if the device is known to be lost.
     *
     * @throws io.devicearena.DeviceLostException if it is
     */
    public void requireAlive() {
        errors.requireAlive();
    }

    /**
     * As {@link #requireAlive}, and asks the device itself. While this thread records commands, the device is not lost
     * on purpose: it may use mapped memory, which a lost device frees.
     */
    public void checkAlive() {
        queue.checkAlive();
    }

    /** Sets what runs once when the device is found lost, on the thread that finds it; it must not use the device. */
    public void setWhenLost(Runnable action) {
        errors.setWhenLost(action);
    }

    /** Allocates a buffer on the device, all of it zero. See {@link GpuBuffer}. */
    public GpuBuffer createBuffer(String label, long bytes, long usage) {
        return GpuBuffer.create(this, label, bytes, usage, false);
    }

    /**
     * Waits until all earlier writes and submissions are done.
     *
     * @throws DeviceException if the device fails
     */
    public void flush() {
        CallbackSlot done = CallbackSlot.acquire();
        done.reset();
        queue.submitAndNotify(done);
        poller.await(done, "wgpuQueueOnSubmittedWorkDone");
        queue.checkAlive(); // the library reports the work of a device that was lost meanwhile as done
        CallbackSlot.release(done); // not after a failure: the library might still answer
    }

    /** Makes the device lost, as when a driver removes it. The next use of the device fails. */
    public void destroy() {
        queue.destroy(handle);
    }

    /** Releases unused staging. */
    public void trim() {
        queue.trim();
    }

    /** Releases the device after it has finished its work. */
    @Override
    public void close() {
        queue.close();
        memory.close();
        errors.unregister();
    }
}
