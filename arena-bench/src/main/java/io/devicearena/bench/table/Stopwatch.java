package io.devicearena.bench.table;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** Times one call after the other: first until the JIT compilers have settled, then for the result. */
final class Stopwatch {
    /** Enough for the fastest calls; allocated once, so that measuring allocates nothing. */
    private static final int MAX_CALLS = 50_000;

    /** HotSpot counts the bytes of all threads: an arena may have threads of its own. */
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    private final Pace pace;
    private final LongSupplier clock;
    private final long[] nanos = new long[MAX_CALLS];

    Stopwatch(Pace pace, LongSupplier clock) {
        this.pace = pace;
        this.clock = clock;
    }

    /**
     * Times a call.
     *
     * @param call the call to time
     * @param burst calls between two pauses, 1 or more
     * @param pause runs after each burst and is not timed
     */
    Timing time(Runnable call, int burst, Runnable pause) {
        run(call, burst, pause, pace.warmUpNanos());
        long queryBytes = THREADS.getTotalThreadAllocatedBytes();
        long before = THREADS.getTotalThreadAllocatedBytes();
        queryBytes = before - queryBytes;
        int calls = run(call, burst, pause, pace.measuredNanos());
        return new Timing(nanos, calls, THREADS.getTotalThreadAllocatedBytes() - before - queryBytes);
    }

    private int run(Runnable call, int burst, Runnable pause, long budgetNanos) {
        long begin = clock.getAsLong();
        long end;
        int calls = 0;
        do {
            long start = clock.getAsLong();
            call.run();
            end = clock.getAsLong();
            nanos[calls++] = end - start;
            if (calls % burst == 0) {
                pause.run();
            }
        } while (calls < MAX_CALLS && (end - begin < budgetNanos || calls < pace.minCalls()));
        return calls;
    }
}
