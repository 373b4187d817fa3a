package io.devicearena.wgpu.internal.device;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Runs a call on a thread with a large stack. The library's compiler recurses for each nesting level of a source, and a
 * stack overflow in native code ends the process.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
final class LargeStackThread {
    /** Address space; only the pages that are used take memory. */
    private static final long STACK_BYTES = 256L << 20;

    private LargeStackThread() {}

    /** Runs the call on a new thread and waits for it; rethrows what it throws. */
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
