package io.devicearena.bench.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;

/**
 * The host's side of a move: floats to write, and memory and an array to read into. The floats are small integers, exact
 * in every type that an arena holds, so that what comes back can be checked in every case.
 */
final class HostValues {
    /** bf16 has 8 bits of precision: integers up to here are exact in all three types. */
    private static final int DISTINCT = 256;

    private final MemorySegment source;
    private final MemorySegment destination;
    private final float[] array;

    HostValues(Arena memory, long bytes) {
        source = memory.allocate(bytes, 64);
        destination = memory.allocate(bytes, 64);
        array = new float[Math.toIntExact(bytes / Float.BYTES)];
        for (int i = 0; i < array.length; i++) {
            array[i] = 1 + i % DISTINCT;
        }
        MemorySegment.copy(array, 0, source, ValueLayout.JAVA_FLOAT, 0, array.length);
    }

    MemorySegment source() {
        return source;
    }

    MemorySegment destination() {
        return destination;
    }

    /** Holds the same floats as the source until something is read into it. */
    float[] array() {
        return array;
    }

    /** Empties the destination, reads once, and compares. */
    void check(SpeedCase what, Runnable readIntoDestination) {
        destination.fill((byte) 0);
        readIntoDestination.run();
        require(what, destination);
    }

    /** Empties the array, reads once, and compares. */
    void checkArray(SpeedCase what, Runnable readIntoArray) {
        Arrays.fill(array, 0);
        readIntoArray.run();
        require(what, MemorySegment.ofArray(array));
    }

    private void require(SpeedCase what, MemorySegment got) {
        long at = source.mismatch(got);
        if (at >= 0) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "%s: expected the %d bytes that were written, got others from byte %d on",
                    what.label(),
                    source.byteSize(),
                    at));
        }
    }
}
