package io.devicearena.plan.internal.exact;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Threads with a stack for searches in depth, which go as deep as there are buffers, half a kibibyte each.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class DeepStack {
    /** Enough for some hundred thousand buffers; what is not used takes no memory. */
    private static final long BYTES = 64L << 20;

    private DeepStack() {}

    /** A daemon thread, not yet started. */
    public static Thread thread(Runnable work, String name) {
        Thread thread = new Thread(null, work, name, BYTES);
        thread.setDaemon(true);
        return thread;
    }

    /** Does something on such a thread and waits for it, also where the caller is interrupted. */
    public static <T> T call(Supplier<T> work, String name) {
        FutureTask<T> task = new FutureTask<>(work::get);
        thread(task, name).start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                } catch (ExecutionException failure) {
                    throw new IllegalStateException(name + ": expected an answer, got a failure", failure.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
