package io.devicearena.conformance;

import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.opentest4j.AssertionFailedError;

/** Calls that threads make on an arena at the same time. */
final class Stripes {
    /** More calls than two threads make when each makes every call once. */
    private static final int MOST_CALLS = 96;

    private Stripes() {}

    /** Writes the same part of every period, one call each, and repeats it in the model. */
    static void write(DeviceArena arena, byte[] model, int period, int from, int to, int value) {
        byte[] bytes = TestData.filled(to - from, value);
        for (int start = 0; start < model.length; start += period) {
            arena.writeBytes(start + from, MemorySegment.ofArray(bytes));
            Arrays.fill(model, start + from, start + to, (byte) value);
        }
    }

    /** Makes every call, over and over, until one says that the arena is closed, and counts them. */
    static void untilClosed(EveryCall calls, DeviceArena arena, AtomicInteger made) {
        boolean[] closed = new boolean[1];
        try {
            while (!closed[0]) {
                calls.forEach((name, call) -> {
                    try {
                        call.accept(arena);
                        made.getAndIncrement();
                    } catch (IllegalStateException e) {
                        closed[0] = true;
                    } catch (RuntimeException e) {
                        throw new AssertionFailedError(
                                name + " during a close: expected it to work or IllegalStateException, got " + e, e);
                    }
                });
            }
        } finally {
            made.getAndAdd(MOST_CALLS); // releases the closer, which waits for calls
        }
    }

    /**
     * Closes the arena after a number of calls that differs by round, so that over all rounds the close meets each
     * call.
     */
    @SuppressWarnings("ThreadPriorityCheck") // the callers need the cores, and there may be two
    static void closeAmidst(DeviceArena arena, AtomicInteger made, int round) {
        while (made.get() < round * 29 % MOST_CALLS) {
            Thread.yield();
        }
        arena.close();
    }
}
