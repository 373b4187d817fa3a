package io.devicearena.plan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.plan.testing.TestNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTextTest {
    private static final String HEAD = "device-arena-plan/2\narena_size\t128\n";
    private static final String TEXT =
            HEAD + "node\t4\t0\t16\nfused\t2\nnode\t3\t8\t8\nunscheduled\t1\t16\t64\nunscheduled\t9\t0\t0\n";

    /** A view (3 in 4), a fused op (2), slots of no scheduled value (1, 9), an arena that ends past its slots. */
    private static final MemoryPlan PLAN = new MemoryPlan(
            128,
            Map.of(
                    NodeId.of(9), new BufferSlot(0, 0),
                    NodeId.of(1), new BufferSlot(16, 64),
                    NodeId.of(3), new BufferSlot(8, 8),
                    NodeId.of(4), new BufferSlot(0, 16)),
            TestNode.ids(4, 2, 3));

    private static void assertRefused(String text, long line, int column, String problem) {
        assertThatThrownBy(() -> PlanText.parse(text))
                .isInstanceOfSatisfying(PlanFormatException.class, e -> {
                    assertThat(e.line()).isEqualTo(line);
                    assertThat(e.column()).isEqualTo(column);
                })
                .hasMessage("line " + line + ", column " + column + ": " + problem);
    }

    @Test
    void aPlanHasOneText() {
        assertThat(PlanText.format(PLAN)).isEqualTo(TEXT);
    }

    @Test
    void aPlansTextReadsBackToAnEqualPlanInTheSameOrder() {
        MemoryPlan read = PlanText.parse(TEXT);

        assertThat(read).isEqualTo(PLAN);
        assertThat(List.copyOf(read.slots().keySet())).isEqualTo(TestNode.ids(4, 3, 1, 9));
        assertThat(PlanText.format(read)).isEqualTo(TEXT);
    }

    @Test
    void anEmptyPlanReadsBack() {
        MemoryPlan empty = new MemoryPlan(0, Map.of(), List.of());

        assertThat(PlanText.parse(PlanText.format(empty))).isEqualTo(empty);
    }

    @Test
    void theLargestNumbersReadBack() {
        MemoryPlan plan = new MemoryPlan(
                Long.MAX_VALUE,
                Map.of(NodeId.of(Long.MAX_VALUE), new BufferSlot(Long.MAX_VALUE - 1, 1)),
                TestNode.ids(Long.MAX_VALUE));

        assertThat(PlanText.parse(PlanText.format(plan))).isEqualTo(plan);
    }

    @Test
    void lineEndsOfWindowsABomBlankLinesAndNoLastLineEndAreRead() {
        assertThat(PlanText.parse(TEXT.replace("\n", "\r\n"))).isEqualTo(PLAN);
        assertThat(PlanText.parse("\uFEFF" + TEXT)).isEqualTo(PLAN);
        assertThat(PlanText.parse(TEXT + "\n  \n")).isEqualTo(PLAN);
        assertThat(PlanText.parse(TEXT.stripTrailing())).isEqualTo(PLAN);
    }

    @Test
    void anEmptyTextIsRefused() {
        assertRefused("", 1, 1, "expected 'device-arena-plan/2', got an empty file");
    }

    @Test
    void anotherFirstLineIsRefusedAndShortened() {
        assertRefused("device-arena-plan/1\n", 1, 1, "expected 'device-arena-plan/2', got 'device-arena-plan/1'");
        assertRefused("id,lower,upper,size\n", 1, 1, "expected 'device-arena-plan/2', got 'id,lower,upper,size'");
        assertRefused("x".repeat(50), 1, 1, "expected 'device-arena-plan/2', got '" + "x".repeat(40) + "…'");
    }

    @Test
    void theSecondLineIsTheArenasSize() {
        String problem = "expected 'arena_size' and a number, separated by a tab";

        assertRefused("device-arena-plan/2", 2, 1, problem);
        assertRefused("device-arena-plan/2\narena_size 5\n", 2, 1, problem);
        assertRefused("device-arena-plan/2\nnode\t5\n", 2, 1, problem);
        assertRefused(
                "device-arena-plan/2\narena_size\t-5\n",
                2,
                12,
                "arena_size: expected a whole number from 0 to 9223372036854775807, got '-5'");
        assertRefused("device-arena-plan/2\narena_size\t5\t6\n", 2, 14, "expected the end of the line, got '6'");
    }

    @Test
    void anUnknownKindOfLineIsRefused() {
        assertRefused(HEAD + "tensor\t1\n", 3, 1, "expected 'node', 'fused', 'unscheduled' or 'value', got 'tensor'");
        assertRefused(
                HEAD + "x".repeat(50) + "\n",
                3,
                1,
                "expected 'node', 'fused', 'unscheduled' or 'value', got '" + "x".repeat(40) + "…'");
    }

    @Test
    void invalidNumber_isReportedAtItsColumn() {
        assertRefused(
                HEAD + "node\tone\t0\t1\n",
                3,
                6,
                "id: expected a whole number from 0 to 9223372036854775807, got 'one'");
        assertRefused(
                HEAD + "node\t1\t-1\t1\n",
                3,
                8,
                "offset: expected a whole number from 0 to 9223372036854775807, got '-1'");
        assertRefused(
                HEAD + "node\t1\t0\t9223372036854775808\n",
                3,
                10,
                "size: expected a whole number from 0 to 9223372036854775807, got '9223372036854775808'");
    }

    @Test
    void missingField_isReportedAtTheEndOfTheLine() {
        assertRefused(HEAD + "node\t1\t0\n", 3, 9, "expected a further field 'size' after a tab");
        assertRefused(HEAD + "fused\n", 3, 6, "expected a further field 'id' after a tab");
    }

    @Test
    void anExtraFieldIsRefused() {
        assertRefused(HEAD + "fused\t1\t0\n", 3, 9, "expected the end of the line, got '0'");
        assertRefused(HEAD + "node\t1\t0\t1\t7\n", 3, 12, "expected the end of the line, got '7'");
    }

    @Test
    void anIdHasOneLine() {
        String problem = "id: expected a unique one, got 1, which line 3 has too";

        assertRefused(HEAD + "node\t1\t0\t1\nnode\t1\t1\t1\n", 4, 6, problem);
        assertRefused(HEAD + "node\t1\t0\t1\nfused\t2\nfused\t1\n", 5, 7, problem);
        assertRefused(HEAD + "fused\t1\nunscheduled\t1\t0\t1\n", 4, 13, problem);
    }

    @Test
    void aSlotPastTheArenasEndIsRefused() {
        assertRefused(
                HEAD + "node\t1\t100\t29\n",
                3,
                12,
                "slot: expected one within the arena of 128 bytes, got offset 100 and size 29");
        assertRefused(
                HEAD + "node\t1\t9223372036854775807\t9223372036854775807\n",
                3,
                28,
                "slot: expected one within the arena of 128 bytes, got offset 9223372036854775807 and size"
                        + " 9223372036854775807");
    }

    private static final String VALUE_HEAD = HEAD + "node\t1\t0\t16\nunscheduled\t2\t16\t16\n";

    private static MemoryPlan describing(String name) {
        return new MemoryPlan(
                128,
                Map.of(NodeId.of(1), new BufferSlot(0, 16), NodeId.of(2), new BufferSlot(16, 16)),
                TestNode.ids(1),
                Map.of(
                        NodeId.of(1), new PlanValue(name, NodeRole.STATE, DType.F32, List.of(2L, 2L), Optional.empty()),
                        NodeId.of(2), new PlanValue("", NodeRole.OP, DType.I8, List.of(), Optional.of(NodeId.of(1))),
                        NodeId.of(5), new PlanValue(name, NodeRole.OP, DType.F64, List.of(0L), Optional.empty())));
    }

    @Test
    void theTextOfAPlanHasWhatItKnowsOfValues() {
        assertThat(PlanText.format(describing("a")))
                .isEqualTo(VALUE_HEAD + "value\t1\tstate\tf32\t2x2\t-\ta\nvalue\t2\top\ti8\t-\t1\t\n"
                        + "value\t5\top\tf64\t0\t-\ta\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " conv 1 ", "a\tb\nc\rd\r", "\\", "\\t", "\\\t\\n", "é \u2028 \uD83D\uDE00", "-"})
    void aNameOfAnyCharactersReadsBack(String name) {
        MemoryPlan plan = describing(name);

        assertThat(PlanText.parse(PlanText.format(plan))).isEqualTo(plan);
    }

    @Test
    void aWrongLineOfAValueIsRefused() {
        String line = "value\t1\top\tf32\t4\t-\ta\n";

        assertRefused(
                VALUE_HEAD + "value\t1\tinput2\n",
                5,
                9,
                "role: expected one of input, parameter, constant, state, op, output, got 'input2'");
        assertRefused(
                VALUE_HEAD + "value\t1\top\tf31\n",
                5,
                12,
                "dtype: expected one of f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool, got 'f31'");
        assertRefused(
                VALUE_HEAD + line.replace("\t4", "\t4x"),
                5,
                16,
                "shape: expected dimensions such as 2x3, or -, got '4x'");
        assertRefused(
                VALUE_HEAD + line.replace("\ta", "\ta\\x"),
                5,
                20,
                "name: expected t, n, r or a backslash after a backslash, got 'a\\x'");
        assertRefused(VALUE_HEAD + line.replace("\t-\ta", ""), 5, 17, "expected a further field 'part of' after a tab");
        assertRefused(
                VALUE_HEAD + line.replace("\t4", "\t5"),
                5,
                1,
                "value: expected at most the 16 bytes of its slot, got 20");
        assertRefused(VALUE_HEAD + line + line, 6, 1, "value: expected one line for each id, got 1 twice");
        assertRefused(
                VALUE_HEAD + line + "fused\t9\n", 6, 1, "expected 'value' after the first such line, got 'fused'");
    }
}
