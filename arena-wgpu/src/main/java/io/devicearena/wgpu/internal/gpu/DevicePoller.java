package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.internal.raw.CallbackSlot;
import io.devicearena.wgpu.internal.raw.Downcalls;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a device.
 *
 * <p>A waiting poll of the library blocks the submissions of all other threads. So no thread waits inside the library:
 * a wait polls again and again, first without pause, later with short pauses. The work of an emulated device runs on
 * the cores of this machine: a wait for it lets other threads run between two polls.
 *
 * <p>Threads: safe for any thread.
 */
public final class DevicePoller {
    /** Shorter waits poll without pause: to sleep and to wake takes longer than most small transfers. */
    private static final long SPIN_NANOS = 2_000_000;

    /** The pause between two polls of a longer wait. */
    public static final long PAUSE_NANOS = 50_000;

    private final GpuDevice device;

    DevicePoller(GpuDevice device) {
        this.device = device;
    }

    /**
     * Pauses between two polls.
     *
     * @param waiter what thread dumps name as the blocker
     * @param waitedNanos how long the wait has taken so far
     */
    public static void pause(Object waiter, long waitedNanos) {
        if (waitedNanos < SPIN_NANOS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(waiter, PAUSE_NANOS);
        }
    }

    /**
     * Waits for the answer of an asynchronous call.
     *
     * @param call the function, for the message
     * @throws DeviceException if the answer is a failure, or the device is lost
     */
    @SuppressWarnings("ThreadPriorityCheck") // a thread of the device may need this core
    void await(CallbackSlot slot, String call) {
        long begin = System.nanoTime();
        while (!isDone(slot, call)) {
            long waited = System.nanoTime() - begin;
            if (device.adapter().isEmulated() && waited < SPIN_NANOS) {
                Thread.yield();
            } else {
                pause(this, waited);
            }
        }
    }

    /** Polls once unless the answer is there already; returns whether it is there. */
    boolean isDone(CallbackSlot slot, String call) {
        if (slot.status() == CallbackSlot.PENDING) {
            device.requireAlive();
            Downcalls.poll(device.address); // runs the callbacks of finished work; never waits
            device.errors.check("wgpuDevicePoll");
        }
        if (slot.status() == CallbackSlot.PENDING) {
            return false;
        }
        if (slot.status() != CallbackSlot.SUCCESS) {
            String message = slot.takeMessage();
            device.errors.drop(); // the library reports a failed map twice
            throw device.errors.exception(call, message);
        }
        return true;
    }
}
