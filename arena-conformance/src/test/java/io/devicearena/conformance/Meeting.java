package io.devicearena.conformance;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that meet in the hooks of a wrong arena, once: the first stops within its call until the second has made
 * its own. So a fault that needs two threads at once shows in every run, however busy the machine is. A mutant uses it
 * where the second is sure to come, which is in the clause that it names: threads meet while that is tested alone.
 */
final class Meeting {
    /** Whether the clause that the mutant names is under way on this thread, or on the one that started it. */
    private static final InheritableThreadLocal<Boolean> ARMED = new InheritableThreadLocal<>();

    private final AtomicBoolean hasFirst = new AtomicBoolean();
    private final AtomicReference<@Nullable Thread> second = new AtomicReference<>();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final CompletableFuture<Boolean> passed = new CompletableFuture<>();

    /** Lets the threads that this one starts meet from now on, or no longer. */
    static void arm(boolean armed) {
        ARMED.set(armed);
    }

    /** Whether this thread is one of several that the clause starts which the mutant names. */
    static boolean isRacer() {
        return Boolean.TRUE.equals(ARMED.get())
                && (Thread.currentThread().isVirtual()
                        || Thread.currentThread().getName().startsWith("racer-"));
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
