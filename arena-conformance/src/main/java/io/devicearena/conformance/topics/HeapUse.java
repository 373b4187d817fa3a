package io.devicearena.conformance.topics;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Counts what calls allocate on the Java heap. */
final class HeapUse {
    private HeapUse() {}

    /** The bytes that this thread allocates in a number of calls; skips the test where the VM cannot count them. */
    static long of(ConformanceTopic topic, int calls, Runnable call) {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
                || !threads.isThreadAllocatedMemorySupported()
                || !threads.isThreadAllocatedMemoryEnabled()) {
            throw topic.skip("this VM does not count what a thread allocates");
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
