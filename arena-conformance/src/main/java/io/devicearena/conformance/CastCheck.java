package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
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

    /** Each of some f32 bits, and each with the other sign. */
    static int[] bothSigns(IntStream bits) {
        return bits.flatMap(one -> IntStream.of(one, one | F32_SIGN)).toArray();
    }

    /** Each of some 16-bit patterns, and each with the other sign. */
    static int[] bothPatternSigns(IntStream patterns) {
        return patterns.flatMap(one -> IntStream.of(one, one | NARROW_SIGN)).toArray();
    }

    /** The f32 bits just below and just above the tie between a pattern and the next. */
    static IntStream aroundTie(CastOracle oracle, int pattern) {
        int tie = Float.floatToRawIntBits(oracle.tieAbove(pattern));
        return IntStream.of(tie - 1, tie + 1);
    }

    /** Writes rows of the table, and those with the other sign, as both types. */
    static void rows(ConformanceTopic topic, int... f32) {
        CastTable.Row[] rows = Arrays.stream(f32)
                .mapToObj(bits -> CastTable.DOWN.stream()
                        .filter(row -> row.f32() == bits)
                        .findAny()
                        .orElseGet(() -> CastTable.negative(bits)))
                .toArray(CastTable.Row[]::new);
        int[] bits = Arrays.stream(rows).mapToInt(CastTable.Row::f32).toArray();
        write(
                "row",
                topic,
                CastOracle.F16,
                bits,
                Arrays.stream(rows).mapToInt(CastTable.Row::f16).toArray());
        write(
                "row",
                topic,
                CastOracle.BF16,
                bits,
                Arrays.stream(rows).mapToInt(CastTable.Row::bf16).toArray());
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

    /** All 65,536 patterns, up, and down again. */
    static void everyPattern(ConformanceTopic topic, CastOracle oracle) {
        int[] patterns = IntStream.range(0, 1 << 16).toArray();
        readPatterns("pattern", topic, oracle, patterns);
        int[] wide = Arrays.stream(patterns).map(oracle::widen).toArray();
        write(
                "pattern, widened to",
                topic,
                oracle,
                wide,
                Arrays.stream(wide).map(oracle::narrow).toArray());
    }

    private static void put(DeviceArena arena, int[] patterns) {
        short[] raw = new short[patterns.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (short) patterns[i];
        }
        arena.writeBytes(0, MemorySegment.ofArray(raw));
    }

    /** What an arena must hold after any floats were written. */
    static byte[] encoded(DType dtype, float[] floats) {
        ByteBuffer bytes = ByteBuffer.allocate(floats.length * dtype.bytes()).order(ByteOrder.nativeOrder());
        for (float value : floats) {
            int bits = Float.floatToRawIntBits(value);
            switch (dtype) {
                case F16 -> bytes.putShort((short) CastOracle.F16.narrow(bits));
                case BF16 -> bytes.putShort((short) CastOracle.BF16.narrow(bits));
                default -> bytes.putInt(bits);
            }
        }
        return bytes.array();
    }

    /** What reading bytes of an arena must give. */
    static float[] decoded(DType dtype, byte[] raw) {
        ByteBuffer bytes = ByteBuffer.wrap(raw).order(ByteOrder.nativeOrder());
        float[] floats = new float[raw.length / dtype.bytes()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = Float.intBitsToFloat(
                    switch (dtype) {
                        case F16 -> CastOracle.F16.widen(bytes.getShort() & 0xFFFF);
                        case BF16 -> CastOracle.BF16.widen(bytes.getShort() & 0xFFFF);
                        default -> bytes.getInt();
                    });
        }
        return floats;
    }
}
