package io.devicearena.cuda.internal.arena;

/**
 * Counts the users of an object of an arena, which is freed with the last of them, or with the arena.
 *
 * <p>Threads: safe for any thread.
 */
public final class Uses {
    private final CudaBackend backend;
    private final Runnable free;
    private int users = 1;
    private boolean closed;
    private boolean freed;

    Uses(CudaBackend backend, Runnable free) {
        this.backend = backend;
        this.free = free;
    }

    /** Adds a user, which must {@link #release}; returns false once the object is closed or freed. */
    public synchronized boolean acquire() {
        boolean open = !closed && users > 0;
        users += open ? 1 : 0;
        return open;
    }

    /** Removes a user; the last one frees the object. */
    public synchronized void release() {
        if (--users == 0 && !freed) {
            free.run();
            freed = true;
            backend.forget(this);
        }
    }

    /** Ends the use by the owner; a second call does nothing. */
    public synchronized void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }

    /** Frees the object, also one in use: the arena is closed. One that could not be freed before is tried again. */
    synchronized void end() {
        closed = true;
        if (!freed) {
            free.run();
            freed = true;
        }
    }
}
