package io.devicearena.conformance;

import io.devicearena.DType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Faults in casts. */
final class CastMutants {
    private CastMutants() {}

    /** A wrong cast to one type. */
    private interface Narrow {
        int apply(int bits, int right);
    }

    private static Mutant narrow(String fault, String clause, String text, DType broken, Narrow narrow) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new CastingArena(d, p, o, g) {
            @Override
            short narrow(DType dtype, int bits) {
                short right = super.narrow(dtype, bits);
                return dtype == broken ? (short) narrow.apply(bits, right & 0xFFFF) : right;
            }
        });
    }

    /** A wrong cast from one type. */
    private static Mutant widen(String fault, String clause, String text, DType broken, Narrow widen) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new CastingArena(d, p, o, g) {
            @Override
            int widen(DType dtype, short pattern) {
                int right = super.widen(dtype, pattern);
                return dtype == broken ? widen.apply(pattern & 0xFFFF, right) : right;
            }
        });
    }

    private static Mutant copied(String fault, String clause, String text, Narrow copied) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new CastingArena(d, p, o, g) {
            @Override
            int copied(int bits) {
                return copied.apply(bits, bits);
            }
        });
    }

    private static boolean isNan(int bits) {
        return (bits & 0x7FFFFFFF) > 0x7F800000;
    }

    /** The magnitude of the neighbour towards zero when the right result lies further out than the float. */
    private static int towardsZero(int bits, int right, CastOracle type) {
        boolean further = !isNan(bits)
                && (right & 0x7FFF) != 0
                && (right & 0x7FFF) <= type.infinity
                && (bits & 0x7FFFFFFF) != 0x7F800000
                && type.value(right & 0x7FFF) > Math.abs(Float.intBitsToFloat(bits));
        return further ? right - 1 : right;
    }

    /** Half goes up. */
    private static int tiesAway(int bits, int right, CastOracle type) {
        int magnitude = right & 0x7FFF;
        return !isNan(bits)
                        && magnitude < type.infinity
                        && type.tieAbove(magnitude) == Math.abs(Float.intBitsToFloat(bits))
                ? right + 1
                : right;
    }

    static List<Mutant> all() {
        return List.of(
                copied(
                        "f32 subnormals are flushed",
                        "2.1",
                        "bytes read from offset",
                        (bits, right) -> (bits & 0x7F800000) == 0 ? bits & 0x80000000 : bits),
                copied(
                        "f32 NaNs are made quiet",
                        "2.1",
                        "bytes read from offset",
                        (bits, right) -> isNan(bits) ? bits | 0x00400000 : bits),
                narrow(
                        "f16 ties go away from zero",
                        "2.1",
                        "bytes read from offset",
                        DType.F16,
                        (bits, right) -> tiesAway(bits, right, CastOracle.F16)),
                narrow(
                        "bf16 ties go away from zero",
                        "2.1",
                        "floats of value",
                        DType.BF16,
                        (bits, right) -> tiesAway(bits, right, CastOracle.BF16)),
                narrow(
                        "f16 is rounded towards zero",
                        "2.1",
                        "bytes at the end",
                        DType.F16,
                        (bits, right) -> towardsZero(bits, right, CastOracle.F16)),
                narrow(
                        "bf16 is truncated",
                        "2.1",
                        "floats of value",
                        DType.BF16,
                        (bits, right) -> isNan(bits) ? right : bits >>> 16),
                narrow(
                        "f16 overflow is clamped",
                        "2.1",
                        "bytes read from offset",
                        DType.F16,
                        (bits, right) ->
                                (right & 0x7FFF) == 0x7C00 && (bits & 0x7FFFFFFF) != 0x7F800000 ? right - 1 : right),
                narrow(
                        "bf16 overflow is clamped",
                        "3.3",
                        "written as BF",
                        DType.BF16,
                        (bits, right) ->
                                (right & 0x7FFF) == 0x7F80 && (bits & 0x7FFFFFFF) != 0x7F800000 ? right - 1 : right),
                narrow(
                        "f16 subnormals are flushed",
                        "2.1",
                        "floats of value",
                        DType.F16,
                        (bits, right) -> (right & 0x7C00) == 0 ? right & 0x8000 : right),
                narrow(
                        "bf16 subnormals are flushed",
                        "2.1",
                        "bytes read from offset",
                        DType.BF16,
                        (bits, right) -> (right & 0x7F80) == 0 ? right & 0x8000 : right),
                widen(
                        "f16 subnormals are read as zero",
                        "2.1",
                        "floats of value",
                        DType.F16,
                        (pattern, right) -> (pattern & 0x7C00) == 0 ? right & 0x80000000 : right),
                narrow(
                        "the sign of a zero is lost in f16",
                        "2.1",
                        "bytes read from offset",
                        DType.F16,
                        (bits, right) -> right == 0x8000 ? 0 : right),
                narrow(
                        "the sign of a zero is lost in bf16",
                        "3.3",
                        "written as BF",
                        DType.BF16,
                        (bits, right) -> right == 0x8000 ? 0 : right),
                widen(
                        "the sign of a zero is lost on the way back",
                        "2.1",
                        "floats of value",
                        DType.F16,
                        (pattern, right) -> pattern == 0x8000 ? 0 : right),
                narrow(
                        "an f16 NaN becomes an infinity",
                        "2.1",
                        "bytes read from offset",
                        DType.F16,
                        (bits, right) -> isNan(bits) ? right & 0xFC00 : right),
                narrow(
                        "a bf16 NaN becomes an infinity where its top payload bits are 0",
                        "3.3",
                        "written as BF",
                        DType.BF16,
                        (bits, right) -> isNan(bits) ? bits >>> 16 : right),
                narrow(
                        "every f16 NaN becomes the same",
                        "2.1",
                        "bytes read from offset",
                        DType.F16,
                        (bits, right) -> isNan(bits) ? 0x7E00 : right),
                widen(
                        "f16 NaNs are not made quiet",
                        "2.1",
                        "floats of value",
                        DType.F16,
                        (pattern, right) ->
                                (pattern & 0x7FFF) > 0x7C00 && (pattern & 0x0200) == 0 ? right & ~0x00400000 : right),
                widen(
                        "bf16 NaNs are not made quiet",
                        "2.1",
                        "floats of value",
                        DType.BF16,
                        (pattern, right) ->
                                (pattern & 0x7FFF) > 0x7F80 && (pattern & 0x0040) == 0 ? right & ~0x00400000 : right),
                Mutant.of(
                        "the last element of a block of 16 and 3 is truncated",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new CastingArena(d, p, o, g) {
                            @Override
                            void encode(DType dtype, MemorySegment floats, MemorySegment encoded, long count) {
                                super.encode(dtype, floats, encoded, count);
                                if (dtype == DType.BF16 && count == 19) {
                                    encoded.set(SHORT, 36, (short) (floats.get(INT, 72) >>> 16));
                                }
                            }
                        }));
    }
}
