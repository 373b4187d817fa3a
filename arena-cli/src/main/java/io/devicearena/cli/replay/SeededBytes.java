package io.devicearena.cli.replay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Bytes that depend on a seed, a value and their position only, so that what is read from an arena can be compared with
 * what was written, without keeping it.
 *
 * <p><b>Source:</b> each 8 bytes are the mix of SplittableRandom (Steele, Lea, Flood, "Fast Splittable Pseudorandom
 * Number Generators", OOPSLA 2014) of a key and their index.
 */
final class SeededBytes {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final long key;

    SeededBytes(long seed, long value) {
        this.key = mix(seed + 0x9E3779B97F4A7C15L * (value + 1));
    }

    /** Fills a segment with the bytes from a position on. */
    void fill(MemorySegment target, long from) {
        long size = target.byteSize();
        long at = 0;
        while (at < size && ((from + at) & 7) != 0) {
            target.set(ValueLayout.JAVA_BYTE, at, byteAt(from + at));
            at++;
        }
        long word = (from + at) >>> 3;
        for (; at + Long.BYTES <= size; at += Long.BYTES) {
            target.set(WORD, at, mix(key + word++));
        }
        for (; at < size; at++) {
            target.set(ValueLayout.JAVA_BYTE, at, byteAt(from + at));
        }
    }

    private byte byteAt(long position) {
        return (byte) (mix(key + (position >>> 3)) >>> ((position & 7) * Byte.SIZE));
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
