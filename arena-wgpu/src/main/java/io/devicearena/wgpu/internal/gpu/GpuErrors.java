package io.devicearena.wgpu.internal.gpu;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import io.devicearena.wgpu.ffi.WGPUUncapturedErrorCallback;
import io.devicearena.wgpu.internal.events.WgpuRecorder;
import io.devicearena.wgpu.internal.logging.NativeLog;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The errors of one device. The library reports an error on the thread that made the call, before the call returns.
 * This class keeps the report until that thread checks for it.
 *
 * <p>The library reports every error with the type Validation, so the text decides what it means. The callback runs
 * while the library holds a lock: it records the text and returns.
 *
 * <p>Threads: safe for any thread.
 */
final class GpuErrors {
    /** Parts of the texts of wgpu-core for too little memory and for a lost device. */
    private static final String OUT_OF_MEMORY = "Not enough memory left";

    private static final String LOST = "is lost";

    /**
     * A device that is being lost destroys its buffers before other calls report the loss. This backend maps and unmaps
     * only staging that it has not closed, so a call of these that finds a destroyed buffer reports a loss too.
     */
    private static final String UNMAP = "In wgpuBufferUnmap";

    /** The call and not a part of its text: what reports a map later does not name it. */
    static final String MAP = "wgpuBufferMapAsync";

    private static final String DESTROYED = "has been destroyed";

    private static final Map<Long, GpuErrors> BY_KEY = new ConcurrentHashMap<>();
    private static final AtomicLong KEYS = new AtomicLong();
    static final MemorySegment CALLBACK = WGPUUncapturedErrorCallback.allocate(
            (_, _, message, key, _) -> record(NativeText.of(message).strip(), key.address()), AddressSpace.PROCESS);

    private final long key = KEYS.incrementAndGet();
    private final String device;
    /** What the library reported to each thread that has not taken it yet. */
    private final Map<Thread, String> reports = new ConcurrentHashMap<>();

    /** Why the device was lost; null while it is not. */
    private final AtomicReference<@Nullable String> lost = new AtomicReference<>();

    private volatile Runnable whenLost = () -> {};

    GpuErrors(String device) {
        this.device = device;
        BY_KEY.put(key, this);
    }

    /** The user data with which the callback finds this object. */
    MemorySegment userData() {
        return MemorySegment.ofAddress(key);
    }

    /** Stops receiving reports; the device is released. */
    void unregister() {
        BY_KEY.remove(key);
    }

    private static void record(String text, long key) {
        GpuErrors errors = BY_KEY.get(key);
        if (errors != null) {
            errors.reports.merge(Thread.currentThread(), text, (before, more) -> before + "; " + more);
        }
    }

    /**
     * Throws what the library reported for the last calls of this thread, if anything.
     *
     * @param call the function, for the message
     */
    void check(String call) {
        String text = takeOwn();
        if (text != null) {
            throw exception(call, text);
        }
    }

    /**
     * Throws what the library reported for the last calls of this thread about a shader, if anything.
     *
     * @param call the function, for the message
     */
    void checkShader(String call) {
        String text = takeOwn();
        if (text != null) {
            DeviceException failure = exception(call, text);
            throw failure instanceof DeviceLostException || failure instanceof ArenaOutOfMemoryException
                    ? failure
                    : new GpuShaderException(String.valueOf(failure.getMessage()), text);
        }
    }

    /**
     * Drops what the library reported for the last calls of this thread: for clean-up after an error that is thrown
     * already.
     */
    void drop() {
        takeOwn();
    }

    private @Nullable String takeOwn() {
        return reports.isEmpty() ? null : reports.remove(Thread.currentThread());
    }

    /** Makes the exception for an error text of the library. */
    DeviceException exception(String call, String report) {
        String text = report.replaceAll("\\s*\\R\\s*", " ");
        boolean isOfStaging = call.equals(MAP) || text.contains(UNMAP);
        if (text.contains(LOST) || (isOfStaging && text.contains(DESTROYED))) {
            lose(call + ": " + text);
            return lostException();
        }
        if (text.contains(OUT_OF_MEMORY)) {
            return new ArenaOutOfMemoryException("device '" + device + "' is out of memory in " + call + ": " + text
                    + "; close other arenas or plan a smaller one");
        }
        return new DeviceException("device '" + device + "': " + call + " failed: " + text);
    }

    /** Marks the device as lost; the first reason stays. */
    private void lose(String reason) {
        if (lost.compareAndSet(null, reason)) {
            WgpuRecorder.deviceLost(device, reason);
            NativeLog.LOGGER.log(System.Logger.Level.WARNING, "device '" + device + "' was lost: " + reason);
            whenLost.run();
        }
    }

    /** Sets what runs once when the device is found lost, on the thread that finds it. */
    void setWhenLost(Runnable action) {
        whenLost = action;
    }

    boolean isLost() {
        return lost.get() != null;
    }

    /** Throws if the device is lost. */
    void requireAlive() {
        if (isLost()) {
            throw lostException();
        }
    }

    private DeviceLostException lostException() {
        return new DeviceLostException(
                "device '" + device + "' was lost: " + lost.get() + "; close its arenas and open new ones");
    }
}
