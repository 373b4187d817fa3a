package io.devicearena.spi;

/**
 * Memory that an arena and its views use: it is freed when the last of them has released it. Threads: safe for any
 * thread.
 */
final class SharedMemory {
    private final Runnable memory;
    private int uses;
    private boolean freed;

    /**
     * Takes the memory, which nothing uses yet.
     *
     * @param memory frees the memory, or throws and has freed nothing
     */
    SharedMemory(Runnable memory) {
        this.memory = memory;
    }

    /**
     * Begins a use; returns what ends it. That must run once, or again after it threw.
     *
     * @throws IllegalStateException if the last use has ended: a view came too late
     */
    synchronized Runnable use() {
        if (freed) {
            throw new IllegalStateException("memory of an arena: expected it in use, got it freed; open a new arena");
        }
        uses++;
        return this::release;
    }

    private synchronized void release() {
        if (uses == 1) {
            memory.run();
            freed = true;
        }
        uses--;
    }
}
