package com.example.llm.model;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.ToLongFunction;

/** Counts what an engine allocates for tokens, when the compiler is done. */
final class TokenAllocation {
    private static final int TOKENS = 60;

    private TokenAllocation() {}

    /**
     * Generates the tokens again and again, until nothing is allocated.
     *
     * @param allocated how many bytes were allocated so far
     * @param attempts the most
     * @return the fewest bytes for the tokens
     */
    static long least(Engine engine, ToLongFunction<ThreadMXBean> allocated, int attempts) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TokenSink sink = token -> true;
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < attempts && least > 0; attempt++) {
            engine.restart();
            engine.prefill(2, 7, 11, 5);
            long before = allocated.applyAsLong(threads);
            engine.generate(TOKENS, sink);
            least = Math.min(least, allocated.applyAsLong(threads) - before);
        }
        return least;
    }
}
