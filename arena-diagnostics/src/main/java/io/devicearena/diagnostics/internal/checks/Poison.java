package io.devicearena.diagnostics.internal.checks;

import io.devicearena.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What fills the bytes of a value that a step is to write, so that the elements which it leaves out are found: NaN for
 * floats; for other types bytes that depend on where they lie, since an integer may have any value. They are compared
 * in units of at least 4 bytes, so that random data equals them by chance once in 2^32 units.
 *
 * <p>Threads: static and stateless; any thread.
 */
final class Poison {
    /** All bits are set: a NaN of each type. */
    private static final byte NAN = (byte) 0xFF;

    private static final int PERIOD = 1 << 16;

    /** The bytes of a period, and the first 8 of the next one. */
    private static final MemorySegment PATTERN = MemorySegment.ofArray(pattern());

    private Poison() {}

    private static byte[] pattern() {
        byte[] made = new byte[PERIOD + Long.BYTES];
        new SplittableRandom(PERIOD).nextBytes(made);
        System.arraycopy(made, 0, made, PERIOD, Long.BYTES);
        return made;
    }

    /** The bytes that are compared at a time. */
    static int unit(DType dtype) {
        return FloatBits.isFloat(dtype) ? dtype.bytes() : Math.max(Integer.BYTES, dtype.bytes());
    }

    /** The poison of a unit at an offset of the arena. */
    static long bits(DType dtype, long offset) {
        int unit = unit(dtype);
        if (FloatBits.isFloat(dtype)) {
            return unit == Long.BYTES ? -1L : (1L << (8 * unit)) - 1;
        }
        long at = offset % PERIOD;
        return unit == Long.BYTES
                ? PATTERN.get(ValueLayout.JAVA_LONG_UNALIGNED, at)
                : PATTERN.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xFFFF_FFFFL;
    }

    /**
     * Fills bytes with the poison of a type.
     *
     * @param offset where they lie in the arena
     * @param dtype the type; null is as a float
     */
    static void fill(MemorySegment bytes, long offset, @Nullable DType dtype) {
        if (dtype == null || FloatBits.isFloat(dtype)) {
            bytes.fill(NAN);
            return;
        }
        for (long done = 0; done < bytes.byteSize(); ) {
            long at = (offset + done) % PERIOD;
            long part = Math.min(bytes.byteSize() - done, PERIOD - at);
            MemorySegment.copy(PATTERN, at, bytes, done, part);
            done += part;
        }
    }
}
