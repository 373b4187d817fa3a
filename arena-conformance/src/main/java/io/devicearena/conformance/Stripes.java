package io.devicearena.conformance;

import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.opentest4j.AssertionFailedError;

/** What threads do to an arena at the same time. */
final class Stripes {
    private Stripes() {}

    /** Writes the same part of every period, one call each, and notes it in the model. */
    static void write(DeviceArena arena, byte[] model, int period, int from, int to, int value) {
        byte[] bytes = Data.filled(to - from, value);
        for (int start = 0; start < model.length; start += period) {
            arena.writeBytes(start + from, MemorySegment.ofArray(bytes));
            Arrays.fill(model, start + from, start + to, (byte) value);
        }
    }

    /** Makes every call, over and over, until one says that the arena is closed. */
    static void untilClosed(EveryCall calls, DeviceArena arena) {
        boolean[] closed = new boolean[1];
        while (!closed[0]) {
            calls.forEach((name, call) -> {
                try {
                    call.accept(arena);
                } catch (IllegalStateException e) {
                    closed[0] = true;
                } catch (RuntimeException e) {
                    throw new AssertionFailedError(
                            name + " during a close: expected it to work or IllegalStateException, got " + e, e);
                }
            });
        }
    }
}
