package io.devicearena.conformance.oracle;

import java.util.List;

/** The rows of the specification's table of casts, with their results. */
public final class CastTable {
    private CastTable() {}

    /**
     * One row.
     *
     * @param f32 the bits of the float
     * @param f16 the bits it is rounded to as F16
     * @param bf16 the bits it is rounded to as BF16
     */
    public record Row(int f32, int f16, int bf16) {}

    /** Down, from f32. */
    public static final List<Row> DOWN = List.of(
            new Row(0x00000000, 0x0000, 0x0000),
            new Row(0x80000000, 0x8000, 0x8000),
            new Row(0x3F800000, 0x3C00, 0x3F80),
            new Row(0x3EAAAAAB, 0x3555, 0x3EAB),
            new Row(0x3F801000, 0x3C00, 0x3F80),
            new Row(0x3F803000, 0x3C02, 0x3F80),
            new Row(0x3F800FFF, 0x3C00, 0x3F80),
            new Row(0x3F801001, 0x3C01, 0x3F80),
            new Row(0x3F808000, 0x3C04, 0x3F80),
            new Row(0x3F818000, 0x3C0C, 0x3F82),
            new Row(0x3F807FFF, 0x3C04, 0x3F80),
            new Row(0x3F808001, 0x3C04, 0x3F81),
            new Row(0x477FE000, 0x7BFF, 0x4780),
            new Row(0x477FEFFF, 0x7BFF, 0x4780),
            new Row(0x477FF000, 0x7C00, 0x4780),
            new Row(0xC77FF000, 0xFC00, 0xC780),
            new Row(0x38800000, 0x0400, 0x3880),
            new Row(0x387FE000, 0x0400, 0x3880),
            new Row(0x387FC000, 0x03FF, 0x3880),
            new Row(0x33C00000, 0x0002, 0x33C0),
            new Row(0x33800000, 0x0001, 0x3380),
            new Row(0x33000001, 0x0001, 0x3300),
            new Row(0x33000000, 0x0000, 0x3300),
            new Row(0xB3000000, 0x8000, 0xB300),
            new Row(0x7F7F0000, 0x7C00, 0x7F7F),
            new Row(0x7F7F7FFF, 0x7C00, 0x7F7F),
            new Row(0x7F7F8000, 0x7C00, 0x7F80),
            new Row(0xFF7F8000, 0xFC00, 0xFF80),
            new Row(0x7F7FFFFF, 0x7C00, 0x7F80),
            new Row(0x00800000, 0x0000, 0x0080),
            new Row(0x007FFFFF, 0x0000, 0x0080),
            new Row(0x00018000, 0x0000, 0x0002),
            new Row(0x00010000, 0x0000, 0x0001),
            new Row(0x00008001, 0x0000, 0x0001),
            new Row(0x00008000, 0x0000, 0x0000),
            new Row(0x80000001, 0x8000, 0x8000),
            new Row(0x7F800000, 0x7C00, 0x7F80),
            new Row(0xFF800000, 0xFC00, 0xFF80),
            new Row(0x7FC00000, 0x7E00, 0x7FC0),
            new Row(0x7F800001, 0x7E00, 0x7FC0),
            new Row(0x7F802000, 0x7E01, 0x7FC0),
            new Row(0x7F810000, 0x7E08, 0x7FC1),
            new Row(0x7FA00000, 0x7F00, 0x7FE0),
            new Row(0xFFD55555, 0xFEAA, 0xFFD5),
            new Row(0x7FFFFFFF, 0x7FFF, 0x7FFF),
            new Row(0xFFFFFFFF, 0xFFFF, 0xFFFF));
}
