package io.devicearena.conformance.topics;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts what calls allocate on the Java heap.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class HeapUse {
    private HeapUse() {}

    /** The bytes that this thread allocates in a number of calls; skips the test where the VM cannot count them. */
    static long of(ConformanceTopic topic, int calls, Runnable call) {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()
                || !threads.isThreadAllocatedMemoryEnabled()) {
            throw topic.skip("this VM does not count what a thread allocates");
        }
        return of(calls, call);
    }

    /**
     * Counts what this thread allocates in calls.
     *
     * @param calls their number
     * @param call what is called
     * @return bytes
     */
    public static long of(int calls, Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /**
     * Counts what this thread allocates in the steady state: the JIT compiler finishes some time after the calls that
     * triggered it, so there are several attempts, until one allocates nothing.
     *
     * @param attempts the most attempts, 1 or more
     * @param calls of an attempt
     * @param call what is called
     * @return the bytes of the attempt with the fewest
     */
    public static long least(int attempts, int calls, Runnable call) {
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < attempts && least > 0; attempt++) {
            least = Math.min(least, of(calls, call));
        }
        return least;
    }
}
