package io.devicearena.plan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.testing.TestNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanTextTest {
    private static final String HEAD = "device-arena-plan/1\narena_size\t128\n";
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
        assertRefused("", 1, 1, "expected 'device-arena-plan/1', got an empty file");
    }

    @Test
    void anotherFirstLineIsRefusedAndShortened() {
        assertRefused("id,lower,upper,size\n", 1, 1, "expected 'device-arena-plan/1', got 'id,lower,upper,size'");
        assertRefused("x".repeat(50), 1, 1, "expected 'device-arena-plan/1', got '" + "x".repeat(40) + "…'");
    }

    @Test
    void theSecondLineIsTheArenasSize() {
        String problem = "expected 'arena_size' and a number, separated by a tab";

        assertRefused("device-arena-plan/1", 2, 1, problem);
        assertRefused("device-arena-plan/1\narena_size 5\n", 2, 1, problem);
        assertRefused("device-arena-plan/1\nnode\t5\n", 2, 1, problem);
        assertRefused(
                "device-arena-plan/1\narena_size\t-5\n",
                2,
                12,
                "arena_size: expected a whole number from 0 to 9223372036854775807, got '-5'");
        assertRefused("device-arena-plan/1\narena_size\t5\t6\n", 2, 14, "expected the end of the line, got '6'");
    }

    @Test
    void anUnknownKindOfLineIsRefused() {
        assertRefused(HEAD + "tensor\t1\n", 3, 1, "expected 'node', 'fused' or 'unscheduled', got 'tensor'");
        assertRefused(
                HEAD + "x".repeat(50) + "\n",
                3,
                1,
                "expected 'node', 'fused' or 'unscheduled', got '" + "x".repeat(40) + "…'");
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
}
