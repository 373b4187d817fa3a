package io.devicearena.spi;

import java.lang.foreign.MemorySegment;

/**
 * Checks of memory that a caller passes, for backends with methods of their own beside {@link ArenaBackend}. Each
 * check throws before anything has changed.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class CallerMemory {
    /** Never started: stands for every other thread in the check whether memory is confined. */
    private static final Thread ANOTHER_THREAD = Thread.ofPlatform()
            .inheritInheritableThreadLocals(false) // else it keeps the first caller's context loader for ever
            .unstarted(() -> {});

    private CallerMemory() {}

    /**
     * Requires memory that can be written to.
     *
     * @param name the parameter's name, for the message
     * @param memory the memory
     * @throws IllegalArgumentException if it is read-only
     */
    public static void requireWritable(String name, MemorySegment memory) {
        if (memory.isReadOnly()) {
            throw new IllegalArgumentException(name + ": expected writable memory, got a read-only segment of "
                    + memory.byteSize() + " bytes; pass memory of your own");
        }
    }

    /**
     * Requires memory that this thread may use now.
     *
     * @param name the parameter's name, for the message
     * @param memory the memory
     * @throws WrongThreadException if it is confined to another thread
     * @throws IllegalStateException if its arena is closed
     */
    public static void requireAccess(String name, MemorySegment memory) {
        if (!memory.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException(name + ": expected memory that this thread may access, got a segment of "
                    + memory.byteSize() + " bytes confined to another; allocate it from a shared arena");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException(name + ": expected live memory, got a segment of " + memory.byteSize()
                    + " bytes whose arena is closed");
        }
    }

    /**
     * Requires memory that any thread may use, because another one may write what is read.
     *
     * @param name the parameter's name, for the message
     * @param memory the memory
     * @throws IllegalArgumentException if it is confined to one thread
     */
    public static void requireShared(String name, MemorySegment memory) {
        if (!memory.isAccessibleBy(ANOTHER_THREAD)) {
            throw new IllegalArgumentException(name + ": expected memory that any thread may access, got a segment"
                    + " confined to one; allocate it from a shared arena or on the heap");
        }
    }
}
