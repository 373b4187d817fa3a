package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Group 3, second part: casts, seen through the arena. Bits are compared, never values, so that the sign of a zero and
 * the payload of a NaN count.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface CastConformance extends ConformanceTopic {
    /** Catches truncation, ties away from zero, clamping, flushed subnormals, lost signs, and NaNs made numbers. */
    @Test
    default void required_3_3_castsAreThoseOfTheFormulas() {
        MemorySegment all = Casts.patterns();
        for (DType dtype : TestData.HOST_FLOATS) {
            int[] bits = Casts.beside(dtype);
            MemorySegment written = MemorySegment.ofArray(bits);
            try (DeviceArena arena = open(ExamplePlan.node1((long) bits.length * dtype.bytes()))) {
                arena.writeInputF32(NODE_1, dtype, written);
                MemorySegment stored = MemorySegment.ofArray(new byte[bits.length * dtype.bytes()]);
                arena.readBytes(0, stored);
                same("written as " + dtype, bits, Casts.encoded(dtype, written, bits.length), stored, dtype.bytes());
                arena.writeBytes(0, all);
                int count = Math.toIntExact(all.byteSize() / dtype.bytes());
                int[] patterns = IntStream.range(0, count).toArray();
                MemorySegment read = MemorySegment.ofArray(new int[count]);
                arena.readOutputF32(NODE_1, dtype, read);
                same("read as " + dtype, patterns, Casts.decoded(dtype, all), read, Float.BYTES);
            }
        }
    }

    private static void same(String what, int[] source, MemorySegment expected, MemorySegment actual, int unit) {
        long at = expected.mismatch(actual);
        if (at >= 0) {
            int element = Math.toIntExact(at / unit);
            Check.same(
                    Integer.toHexString(source[element]) + " " + what,
                    (long) element * unit,
                    expected.asSlice((long) element * unit, unit).toArray(ValueLayout.JAVA_BYTE),
                    actual.asSlice((long) element * unit, unit).toArray(ValueLayout.JAVA_BYTE));
        }
    }
}
