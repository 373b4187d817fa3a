package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.AddressSpace;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceException;
import io.devicearena.DeviceLostException;
import io.devicearena.wgpu.ffi.WGPUStringView;
import io.devicearena.wgpu.ffi.WGPUUncapturedErrorCallback;
import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The errors of one device. The library tells an error on the thread that made the call, before the call returns; here it
 * is kept until that thread asks.
 *
 * <p>All errors come with the type Validation, so their text tells what they are. The callback runs while the library
 * holds a lock of its own: it records and returns.
 *
 * <p>Threads: safe for any thread.
 */
final class GpuErrors {
    /** What wgpu-core says when memory is short, and when the device is gone. */
    private static final String OUT_OF_MEMORY = "Not enough memory left";

    private static final String LOST = "is lost";

    private static final Map<Long, GpuErrors> BY_KEY = new ConcurrentHashMap<>();
    private static final AtomicLong KEYS = new AtomicLong();
    private static final MemorySegment CALLBACK = WGPUUncapturedErrorCallback.allocate(
            (_, _, message, key, _) -> recorded(message, key.address()), AddressSpace.FOREVER);

    private final long key = KEYS.incrementAndGet();
    private final String device;
    private final Queue<Report> reports = new ConcurrentLinkedQueue<>();
    /** How many reports nobody has taken yet; the only thing that a call without an error looks at. */
    private volatile int waiting;

    private volatile @Nullable String lost;

    private record Report(Thread thread, String text) {}

    GpuErrors(String device) {
        this.device = device;
        BY_KEY.put(key, this);
    }

    static MemorySegment callback() {
        return CALLBACK;
    }

    /** What the callback must be handed to find these errors. */
    MemorySegment userData() {
        return MemorySegment.ofAddress(key);
    }

    /** The device is released: it can err no more. */
    void forget() {
        BY_KEY.remove(key);
    }

    private static void recorded(MemorySegment message, long key) {
        GpuErrors errors = BY_KEY.get(key);
        if (errors != null) {
            errors.record(AddressSpace.text(WGPUStringView.data(message).address(), WGPUStringView.length(message)));
        }
    }

    private void record(String text) {
        reports.add(new Report(Thread.currentThread(), text));
        synchronized (this) {
            waiting++;
        }
    }

    /**
     * Throws what the last calls of this thread reported, if anything.
     *
     * @param call the function, for the message
     */
    void check(String call) {
        if (waiting > 0) {
            throwOwn(call);
        }
    }

    private void throwOwn(String call) {
        String text = takeOwn();
        if (text != null) {
            throw exception(call, text);
        }
    }

    /** Drops what the last calls of this thread reported, for calls that clean up behind an error told already. */
    void drop() {
        if (waiting > 0) {
            takeOwn();
        }
    }

    private @Nullable String takeOwn() {
        Thread thread = Thread.currentThread();
        StringBuilder own = new StringBuilder();
        for (Iterator<Report> left = reports.iterator(); left.hasNext(); ) {
            Report report = left.next();
            if (report.thread().equals(thread)) {
                left.remove();
                synchronized (this) {
                    waiting--;
                }
                own.append(own.isEmpty() ? "" : "; ")
                        .append(report.text().strip().replaceAll("\\s*\\R\\s*", " "));
            }
        }
        return own.isEmpty() ? null : own.toString();
    }

    /** Makes the exception that a text of the library stands for. */
    DeviceException exception(String call, String text) {
        if (text.contains(LOST)) {
            lose(call + ": " + text);
            return lostException();
        }
        if (text.contains(OUT_OF_MEMORY)) {
            return new ArenaOutOfMemoryException("device '" + device + "': expected free memory in " + call + ", got: "
                    + text + "; close other arenas or plan a smaller one");
        }
        return new DeviceException("device '" + device + "': " + call + " failed: " + text);
    }

    /** Marks the device as lost; the first reason stays. */
    synchronized void lose(String reason) {
        if (lost == null) {
            lost = reason;
        }
    }

    boolean isLost() {
        return lost != null;
    }

    /** Throws if the device is lost. */
    void requireAlive() {
        if (lost != null) {
            throw lostException();
        }
    }

    DeviceLostException lostException() {
        return new DeviceLostException("device '" + device + "': expected it to be there, got it lost (" + lost
                + "); close its arenas and open new ones");
    }
}
