package io.devicearena.conformance;

import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.opentest4j.AssertionFailedError;

/** What threads do to an arena at the same time. */
final class Stripes {
    /** More calls than two threads make when each makes every call once. */
    private static final int MOST_CALLS = 96;

    private Stripes() {}

    /** Writes the same part of every period, one call each, and notes it in the model. */
    static void write(DeviceArena arena, byte[] model, int period, int from, int to, int value) {
        byte[] bytes = Data.filled(to - from, value);
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
            made.getAndAdd(MOST_CALLS); // whoever waits to close need not wait for more
        }
    }

    /** Closes the arena when so many calls were made that, from round to round, the close meets each of them. */
    @SuppressWarnings("ThreadPriorityCheck") // the callers need the cores, and there may be two
    static void closeAmidst(DeviceArena arena, AtomicInteger made, int round) {
        while (made.get() < round * 29 % MOST_CALLS) {
            Thread.yield();
        }
        arena.close();
    }
}
