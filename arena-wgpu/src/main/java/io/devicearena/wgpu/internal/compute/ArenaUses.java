package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.lifetime.Uses;

/**
 * The users of something that the caller of an arena closes: a kernel, a buffer, a program. The last user frees it.
 * Once the arena is closed they free nothing, since the arena does.
 *
 * <p>Threads: safe for any thread.
 */
final class ArenaUses {
    private final ArenaContext arena;
    private final String closed;
    private final Uses uses;

    /**
     * Begins with one user, the caller.
     *
     * @param closed what is closed, and what to do, for the exception of a later use
     */
    ArenaUses(ArenaContext arena, String closed, Runnable free) {
        this.arena = arena;
        this.closed = closed;
        this.uses = new Uses(() -> {
            if (arena.open().memory().tryEnter()) {
                try {
                    free.run();
                } finally {
                    arena.leave();
                }
            }
        });
    }

    /** Begins a call that uses it; {@link #leave} must follow. Throws if it is closed, or its arena. */
    void enter() {
        arena.enter();
        if (!uses.acquire()) {
            arena.leave();
            throw closed();
        }
    }

    /** Ends a call. */
    void leave() {
        uses.release();
        arena.leave();
    }

    /** Keeps it for a program; throws if it is closed. */
    void hold(Holds holds) {
        if (!uses.acquire()) {
            throw closed();
        }
        holds.add(uses::release);
    }

    /** Throws if it is closed, also while programs use it. */
    void requireOpen() {
        if (uses.isClosed()) {
            throw closed();
        }
    }

    private IllegalStateException closed() {
        return new IllegalStateException(closed);
    }

    /** Ends the use by the caller; a second call does nothing. */
    void close() {
        uses.close();
    }
}
