package io.devicearena.bench.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;

/**
 * The host side of a transfer: floats to write, and memory and an array to read into. The floats are small integers,
 * which are exact in f32, f16 and bf16, so that every case can compare what it reads.
 */
final class HostBuffers {
    /** bf16 has 8 bits of precision: integers up to here are exact in all three types. */
    private static final int DISTINCT = 256;

    private final MemorySegment source;
    private final MemorySegment destination;
    private final float[] array;

    HostBuffers(Arena memory, long bytes) {
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

    /** The same floats as the source, until a read overwrites them. */
    float[] array() {
        return array;
    }

    /** Clears the destination, reads once, and compares. */
    void check(SpeedCase what, Runnable readIntoDestination) {
        destination.fill((byte) 0);
        readIntoDestination.run();
        require(what, destination);
    }

    /** Clears the array, reads once, and compares. */
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
                    "%s: expected the %d bytes that were written, got other bytes from byte %d on",
                    what.label(),
                    source.byteSize(),
                    at));
        }
    }
}
