package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.conformance.oracle.CastOracle;
import io.devicearena.conformance.oracle.CastTable;
import io.devicearena.conformance.oracle.ExamplePlan;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.opentest4j.AssertionFailedError;

/** Moves bits through an arena as one type or the other, and reports which of them are wrong. */
final class CastCheck {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final int F32_SIGN = 0x80000000;
    private static final int NARROW_SIGN = 0x8000;

    private CastCheck() {}

    static DType dtype(CastOracle oracle) {
        return oracle == CastOracle.F16 ? DType.F16 : DType.BF16;
    }

    /** Writes the numbers of some patterns, and the floats at and around the ties above them, with both signs. */
    static void around(String what, ConformanceTopic topic, CastOracle oracle, int from, int to) {
        int[] f32 = IntStream.range(from, to)
                .flatMap(pattern -> {
                    int tie = Float.floatToRawIntBits(oracle.tieAbove(pattern));
                    int exact = Float.floatToRawIntBits((float) oracle.value(pattern));
                    return IntStream.of(exact, tie - 1, tie, tie + 1);
                })
                .flatMap(one -> IntStream.of(one, one | F32_SIGN))
                .toArray();
        int[] expected = IntStream.range(from, to)
                .flatMap(pattern -> IntStream.of(pattern, pattern, pattern + (pattern & 1), pattern + 1))
                .flatMap(one -> IntStream.of(one, one | NARROW_SIGN))
                .toArray();
        write(what, topic, oracle, f32, expected);
    }

    /** Writes rows of the table. */
    static void rows(ConformanceTopic topic, CastOracle oracle, Predicate<CastTable.Row> which) {
        List<CastTable.Row> rows = CastTable.DOWN.stream().filter(which).toList();
        write(
                "row",
                topic,
                oracle,
                rows.stream().mapToInt(CastTable.Row::f32).toArray(),
                rows.stream()
                        .mapToInt(row -> oracle == CastOracle.F16 ? row.f16() : row.bf16())
                        .toArray());
    }

    /** Writes floats as a 16-bit type and compares the bits that the arena then holds. */
    static void write(String what, ConformanceTopic topic, CastOracle oracle, int[] f32, int[] expected) {
        DType dtype = dtype(oracle);
        try (DeviceArena arena = topic.open(ExamplePlan.node1(f32.length * 2L))) {
            arena.writeInputF32(NODE_1, dtype, MemorySegment.ofArray(f32));
            short[] actual = new short[f32.length];
            arena.readBytes(0, MemorySegment.ofArray(actual));
            for (int i = 0; i < f32.length; i++) {
                if ((actual[i] & 0xFFFF) != expected[i]) {
                    throw new AssertionFailedError(what + " " + HEX.toHexDigits(f32[i]) + " ("
                            + Float.intBitsToFloat(f32[i]) + ") written as " + dtype + ": expected "
                            + HEX.toHexDigits((short) expected[i]) + ", got " + HEX.toHexDigits(actual[i])
                            + " at offset " + i * 2L);
                }
            }
        }
    }

    /** Reads node 1 and compares the bits. */
    static void read(String what, DeviceArena arena, DType dtype, int[] source, int[] expected) {
        int[] actual = new int[expected.length];
        arena.readOutputF32(NODE_1, dtype, MemorySegment.ofArray(actual));
        for (int i = 0; i < expected.length; i++) {
            if (actual[i] != expected[i]) {
                throw new AssertionFailedError(what + " " + HEX.toHexDigits(source[i]) + " read as " + dtype
                        + ": expected " + HEX.toHexDigits(expected[i]) + " (" + Float.intBitsToFloat(expected[i])
                        + "), got " + HEX.toHexDigits(actual[i]) + " (" + Float.intBitsToFloat(actual[i])
                        + ") at offset " + (long) i * dtype.bytes());
            }
        }
    }

    /** Puts patterns into an arena as raw bytes and reads them as a 16-bit type. */
    static void readPatterns(String what, ConformanceTopic topic, CastOracle oracle, int[] patterns) {
        try (DeviceArena arena = topic.open(ExamplePlan.node1(patterns.length * 2L))) {
            put(arena, patterns);
            read(
                    what,
                    arena,
                    dtype(oracle),
                    patterns,
                    Arrays.stream(patterns).map(oracle::widen).toArray());
        }
    }

    private static void put(DeviceArena arena, int[] patterns) {
        short[] raw = new short[patterns.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (short) patterns[i];
        }
        arena.writeBytes(0, MemorySegment.ofArray(raw));
    }
}
