package io.devicearena.wgpu.internal.arena;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Compiles on a thread with room for deep recursion. The library's compiler calls itself for each level of a source, and
 * where the stack ends, the process does.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
final class LargeStackThread {
    /** Address space, of which only what is touched takes memory. */
    private static final long STACK_BYTES = 256L << 20;

    private LargeStackThread() {}

    /** Calls on a thread of its own, and waits; what it throws is thrown here. */
    static <T> T call(Supplier<T> work) {
        CompletableFuture<T> result = CompletableFuture.supplyAsync(
                work, task -> new Thread(null, task, "device-arena-compile", STACK_BYTES).start());
        try {
            return result.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case RuntimeException thrown -> throw thrown;
                case Error thrown -> throw thrown;
                case null, default -> throw e;
            }
        }
    }
}
