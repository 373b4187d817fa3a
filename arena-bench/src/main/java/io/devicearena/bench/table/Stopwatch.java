package io.devicearena.bench.table;

/** Times one call after the other: first until the compilers have settled, then for the record. */
final class Stopwatch {
    /** Room for the fastest calls; kept, so that measuring takes nothing from the heap. */
    private static final int MOST_CALLS = 50_000;

    private final Pace pace;
    private final long[] nanos = new long[MOST_CALLS];

    Stopwatch(Pace pace) {
        this.pace = pace;
    }

    /**
     * Times a call.
     *
     * @param call what is timed
     * @param burst how many calls go between two rests, 1 or more
     * @param rest what follows each burst, untimed
     */
    Timing time(Runnable call, int burst, Runnable rest) {
        run(call, burst, rest, pace.warmUpNanos());
        long asking = AllocatedBytes.ofAllThreads();
        long before = AllocatedBytes.ofAllThreads();
        asking = before - asking;
        int calls = run(call, burst, rest, pace.measuredNanos());
        return new Timing(nanos, calls, AllocatedBytes.ofAllThreads() - before - asking);
    }

    private int run(Runnable call, int burst, Runnable rest, long budgetNanos) {
        long begin = System.nanoTime();
        long end;
        int calls = 0;
        do {
            long start = System.nanoTime();
            call.run();
            end = System.nanoTime();
            nanos[calls++] = end - start;
            if (calls % burst == 0) {
                rest.run();
            }
        } while (calls < MOST_CALLS && (end - begin < budgetNanos || calls < pace.leastCalls()));
        return calls;
    }
}
