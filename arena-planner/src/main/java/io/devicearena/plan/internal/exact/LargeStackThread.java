package io.devicearena.plan.internal.exact;

/**
 * Makes threads whose stack is large enough for {@link BranchAndBound}, which recurses once for each buffer.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class LargeStackThread {
    /** 64 MiB: a level takes about half a KiB, so this is enough for 100,000 levels. Unused stack takes no memory. */
    private static final long STACK_BYTES = 64L << 20;

    private LargeStackThread() {}

    /** Makes a daemon thread that is not yet started. */
    public static Thread of(Runnable work, String name) {
        Thread thread = new Thread(null, work, name, STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }
}
