package io.devicearena.conformance;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that meet in the hooks of a wrong arena, once: the first stops within its call until the second has made
 * its own. So a fault that needs two threads at once shows in every run, however busy the machine is. A mutant uses it
 * where the second is sure to come.
 */
final class Meeting {
    private final AtomicBoolean hasFirst = new AtomicBoolean();
    private final AtomicReference<@Nullable Thread> second = new AtomicReference<>();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> passed = new CompletableFuture<>();

    /** Whether this thread is one of several that a clause starts. */
    static boolean isRacer() {
        return Thread.currentThread().isVirtual()
                || Thread.currentThread().getName().startsWith("racer-");
    }

    /** True for the racer that comes first. The one that comes second stops here until the first is ready. */
    boolean isFirst() {
        if (becomesFirst()) {
            return true;
        }
        becomeSecond();
        return false;
    }

    /** True for one racer, the first; for hooks that only the first comes to. */
    boolean becomesFirst() {
        return isRacer() && hasFirst.compareAndSet(false, true);
    }

    /** Stops one racer until the first is ready; for hooks that only the second comes to. */
    void becomeSecond() {
        if (isRacer() && second.compareAndSet(null, Thread.currentThread())) {
            ready.join();
        }
    }

    /** The first, in the middle of its call, lets the second make its own. */
    void awaitSecond() {
        ready.complete(true);
        passed.join();
    }

    /** The second has made its call; nothing when another thread says so. */
    void pass() {
        if (Thread.currentThread().equals(second.get())) {
            passed.complete(true);
        }
    }
}
