package io.devicearena.spi.memory;

import io.devicearena.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Polls the deferred reads that callers hold as futures: no other thread would ask the device for them. Its thread runs
 * while there are such reads.
 *
 * <p>Threads: safe for any thread.
 */
final class ReadWatcher {
    static final ReadWatcher PROCESS = new ReadWatcher();

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
            LockSupport.parkNanos(this, StagedRead.PAUSE_NANOS);
        }
    }

    /** Polls each read once; returns true if none is left, and the thread ends. */
    private boolean step() {
        List<PendingRead> asked;
        synchronized (this) {
            asked = List.copyOf(watched);
        }
        for (PendingRead read : asked) {
            // a failure reaches the caller through the future
            if (read.state() != Transfer.State.PENDING) {
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
