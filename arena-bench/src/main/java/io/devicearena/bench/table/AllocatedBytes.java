package io.devicearena.bench.table;

import java.lang.management.ManagementFactory;

/** The heap bytes that the process has allocated so far, from HotSpot's own management interface. */
final class AllocatedBytes {
    private static final com.sun.management.ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);

    private AllocatedBytes() {}

    /** Bytes taken by all threads since the process began: an arena may have threads of its own. */
    static long ofAllThreads() {
        return THREADS.getTotalThreadAllocatedBytes();
    }
}
