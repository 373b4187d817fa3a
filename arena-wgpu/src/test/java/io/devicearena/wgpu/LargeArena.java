package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;

import io.devicearena.DeviceArena;
import io.devicearena.SegmentLayout;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A program that opens an arena of some bytes, writes across the end of each segment and to the ends of the arena,
 * reads it back, and prints the number of segments.
 */
final class LargeArena {
    /** The property with the bytes of the arena. */
    static final String BYTES = "devicearena.test.bytes";

    /** Shorter than half of the smallest segment, so that the ranges share no byte. */
    private static final int RANGE = 200;

    private LargeArena() {}

    public static void main(String... arguments) {
        long bytes = Long.getLong(BYTES);
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, bytes))) {
            SegmentLayout layout = arena.segments();
            for (int i = 0; i < layout.count(); i++) {
                arena.writeBytes(offset(layout, i, bytes), range(i));
            }
            for (int i = 0; i < layout.count(); i++) {
                byte[] found = new byte[RANGE];
                arena.readBytes(offset(layout, i, bytes), MemorySegment.ofArray(found));
                if (!Arrays.equals(found, (byte[]) range(i).heapBase().orElseThrow())) {
                    throw new AssertionError("the end of segment " + i + " holds other bytes");
                }
            }
            byte[] first = new byte[RANGE];
            arena.readBytes(0, MemorySegment.ofArray(first));
            if (!Arrays.equals(first, new byte[RANGE])) {
                throw new AssertionError("the first bytes are not zero");
            }
            OUT.println(layout.count());
        }
    }

    /** A range half before and half behind the end of a segment; at the end of the arena all of it before. */
    private static long offset(SegmentLayout layout, int segment, long bytes) {
        return Math.min(layout.end(segment) - RANGE / 2, bytes - RANGE);
    }

    private static MemorySegment range(int seed) {
        byte[] bytes = new byte[RANGE];
        for (int i = 0; i < RANGE; i++) {
            bytes[i] = (byte) (i * 31 + seed * 17 + 1);
        }
        return MemorySegment.ofArray(bytes);
    }
}
