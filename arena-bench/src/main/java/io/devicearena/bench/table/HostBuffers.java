package io.devicearena.bench.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/**
 * The host side of a transfer: floats to write, and memory and an array to read into. The floats are small integers,
 * which are exact in f32, f16 and bf16, so that every case can compare what it reads.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HostBuffers(MemorySegment source, MemorySegment destination, float[] array) {
    /** bf16 has 8 bits of precision: integers up to here are exact in all three types. */
    private static final int DISTINCT = 256;

    static HostBuffers of(Arena memory, long bytes) {
        float[] array = new float[Math.toIntExact(bytes / Float.BYTES)];
        for (int i = 0; i < array.length; i++) {
            array[i] = 1 + i % DISTINCT;
        }
        MemorySegment source = memory.allocate(bytes, 64).copyFrom(MemorySegment.ofArray(array));
        return new HostBuffers(source, memory.allocate(bytes, 64), array);
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
