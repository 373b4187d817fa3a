package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DeferredRead;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Brings reads to their end that are awaited as futures: nobody calls the library for them otherwise. Its thread lives
 * while there are any. Threads: safe for any thread.
 */
final class ReadWatcher {
    private static final long PAUSE_NANOS = 50_000;

    private final List<PendingRead> watched = new ArrayList<>();
    private @Nullable Thread thread;

    synchronized void watch(PendingRead read) {
        watched.add(read);
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("device-arena-reads").start(this::run);
        }
    }

    private void run() {
        while (!step()) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    /** Asks for each read once; tells whether none is left, in which case the thread ends. */
    private boolean step() {
        List<PendingRead> asked;
        synchronized (this) {
            asked = List.copyOf(watched);
        }
        for (PendingRead read : asked) {
            // what fails is told to who holds the future
            if (read.state() != DeferredRead.State.PENDING) {
                synchronized (this) {
                    watched.remove(read);
                }
            }
        }
        synchronized (this) {
            if (watched.isEmpty()) {
                thread = null;
                return true;
            }
            return false;
        }
    }
}
