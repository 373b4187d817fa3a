package io.devicearena.spi;

import io.devicearena.checks.CheckedMemory;
import io.devicearena.spi.memory.GuardedMemory;
import org.jspecify.annotations.Nullable;

/**
 * Memory that an arena and its views use: it is freed when the last of them has released it. Threads: safe for any
 * thread.
 */
final class SharedMemory {
    private final Runnable memory;
    private final @Nullable CheckedMemory checked;
    private final @Nullable GuardedMemory guard;
    private int uses;
    private boolean freed;

    /**
     * Takes the memory, which nothing uses yet.
     *
     * @param memory frees the memory, or throws and has freed nothing
     * @param checked what is known of its bytes, or null for no checks
     * @param guard what keeps the memory while calls use it, or null if the backend does
     */
    SharedMemory(Runnable memory, @Nullable CheckedMemory checked, @Nullable GuardedMemory guard) {
        this.memory = memory;
        this.guard = guard;
        this.checked = checked;
    }

    /** One use of the memory, which ends when it runs; that must be once, or again after it threw. */
    record Use(SharedMemory memory) implements Runnable {
        /** What is known of the bytes of the memory, or null for no checks. */
        @Nullable CheckedMemory checked() {
            return memory.checked;
        }

        /** What keeps the memory while calls use it, or null if the backend does. */
        @Nullable GuardedMemory guard() {
            return memory.guard;
        }

        @Override
        public void run() {
            memory.release();
        }
    }

    /**
     * Begins a use.
     *
     * @throws IllegalStateException if the last use has ended: a view came too late
     */
    synchronized Use use() {
        if (freed) {
            throw new IllegalStateException("memory of an arena: expected it in use, got it freed; open a new arena");
        }
        uses++;
        return new Use(this);
    }

    /** The number of uses that have not ended. */
    synchronized int uses() {
        return uses;
    }

    private synchronized void release() {
        if (uses == 1) {
            memory.run();
            freed = true;
        }
        uses--;
    }
}
