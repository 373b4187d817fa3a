package com.example.llm.model;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A value that a thread of its own makes, while the caller does something else.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class Background<T> {
    private final FutureTask<T> task;

    private Background(Callable<T> work) {
        task = new FutureTask<>(work);
    }

    /**
     * Starts to make a value.
     *
     * @param name of the thread
     * @param work makes the value
     * @return what will have it
     */
    public static <T> Background<T> start(String name, Callable<T> work) {
        Background<T> started = new Background<>(work);
        Thread.ofPlatform().daemon().name(name).start(started.task);
        return started;
    }

    /**
     * Waits for the value.
     *
     * @return the value
     * @throws RuntimeException what the work threw
     */
    public T get() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true; // the work goes on, and uses what the caller would free
                } catch (ExecutionException e) {
                    throw unchecked(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException unchecked(Throwable cause) {
        return switch (cause) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            default -> new IllegalStateException(cause);
        };
    }
}
