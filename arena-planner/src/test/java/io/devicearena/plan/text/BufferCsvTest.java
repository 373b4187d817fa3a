package io.devicearena.plan.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BufferCsvTest {
    private static final String HEAD = "id,lower,upper,size\n";
    private static final String PLACED = "id,lower,upper,size,offset\n";

    private static List<LiveBuffer> read(String text) throws IOException {
        return BufferCsv.read(new StringReader(text));
    }

    private static PlanResult readPlan(String text) throws IOException {
        return BufferCsv.readPlan(new StringReader(text));
    }

    private static void assertRefused(String text, long line, int column, String problem) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(PlanFormatException.class)
                .hasMessage("line " + line + ", column " + column + ": " + problem);
    }

    private static void assertPlanRefused(String text, long line, int column, String problem) {
        assertThatThrownBy(() -> readPlan(text))
                .isInstanceOf(PlanFormatException.class)
                .hasMessage("line " + line + ", column " + column + ": " + problem);
    }

    private static LiveBuffer buffer(long id, long lower, long upper, long size) {
        return new LiveBuffer(NodeId.of(id), lower, upper, size);
    }

    @Test
    void rowsAreReadInTheirOrder() throws IOException {
        assertThat(read(HEAD + "7,0,3,64\n2,1,1,0\n")).containsExactly(buffer(7, 0, 3, 64), buffer(2, 1, 1, 0));
    }

    @Test
    void columnsMayComeInAnyOrderAndCase() throws IOException {
        assertThat(read("Size, upper ,LOWER,id\n64,3,0,7\n")).containsExactly(buffer(7, 0, 3, 64));
        assertThat(readPlan("offset,size,upper,lower,id\n32,64,3,0,7\n").plan())
                .isEqualTo(new MemoryPlan(96, Map.of(NodeId.of(7), new BufferSlot(32, 64)), TestNode.ids(7)));
    }

    @Test
    void offsetColumn_whenBuffersAreRead_isIgnored() throws IOException {
        assertThat(read(PLACED + "7,0,3,64,32\n8,0,3,64,\n")).containsExactly(buffer(7, 0, 3, 64), buffer(8, 0, 3, 64));
    }

    @Test
    void lineEndsOfWindowsABomBlankLinesAndNoLastLineEndAreRead() throws IOException {
        List<LiveBuffer> expected = List.of(buffer(1, 0, 3, 64), buffer(2, 1, 2, 5));

        assertThat(read(HEAD + "1,0,3,64\n2,1,2,5")).isEqualTo(expected);
        assertThat(read(HEAD + "1,0,3,64\n\n  \n2,1,2,5\n\n")).isEqualTo(expected);
        assertThat(read((HEAD + "1,0,3,64\n2,1,2,5\n").replace("\n", "\r\n"))).isEqualTo(expected);
        assertThat(read("\uFEFF" + HEAD + "1, 0,3 ,64\n2,1,2,5\n")).isEqualTo(expected);
        assertThat(read(HEAD)).isEmpty();
    }

    @Test
    void aPlanIsWrittenWithViewsAndFusedOps() throws IOException {
        TestGraph graph = new TestGraph()
                .input(3, 4)
                .op(1, 4, 3)
                .view(5, 2, 1, 2)
                .fused(2, 4, 5)
                .output(4, 4, 2);
        PlanResult planned = MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16));
        StringBuilder text = new StringBuilder();
        BufferCsv.write(planned, text);

        assertThat(text).hasToString(PLACED + "3,0,2,16,0\n1,0,2,16,16\n5,0,0,8,24\n2,0,0,0,\n4,1,2,16,32\n");
        PlanResult read = readPlan(text.toString());
        MemoryPlan plan = planned.plan();
        MemoryPlan withoutValues = new MemoryPlan(plan.arenaSize(), plan.slots(), plan.schedule());
        assertThat(read).isEqualTo(new PlanResult(withoutValues, planned.buffers(), 48, "file", List.of()));
    }

    @Test
    void thePlanOfAFileHasItsLowerBound() throws IOException {
        PlanResult read = readPlan(PLACED + "1,0,2,10,0\n2,1,3,20,100\n3,2,3,25,0\n");

        assertThat(read.lowerBoundBytes()).isEqualTo(45);
        assertThat(read.plan().arenaSize()).isEqualTo(120);
        assertThat(read.strategy()).isEqualTo("file");
    }

    @Test
    void anEmptyFileIsRefused() {
        assertRefused("", 1, 1, "expected the header 'id,lower,upper,size', got an empty file");
    }

    @Test
    void aWrongHeaderIsRefused() {
        assertRefused("id,lower,upper\n", 1, 1, "header: expected a column 'size', got 'id,lower,upper'");
        assertRefused(
                "id,start,upper,size\n",
                1,
                4,
                "header: expected the columns 'id,lower,upper,size' and perhaps 'offset', got 'start'");
        assertRefused("id,lower,id,upper,size\n", 1, 10, "header: expected each column once, got 'id' again");
        assertRefused(
                "1,0,3,64\n", 1, 1, "header: expected the columns 'id,lower,upper,size' and perhaps 'offset', got '1'");
        assertPlanRefused(HEAD, 1, 1, "header: expected a column 'offset', got 'id,lower,upper,size'");
    }

    @Test
    void invalidNumber_isReportedAtItsColumn() {
        String expected = "expected a whole number from 0 to 9223372036854775807, got ";

        assertRefused(HEAD + "1,0,3,64\n2,zero,3,64\n", 3, 3, "lower: " + expected + "'zero'");
        assertRefused(HEAD + "-1,0,3,64\n", 2, 1, "id: " + expected + "'-1'");
        assertRefused(HEAD + "1,0,3,-64\n", 2, 7, "size: " + expected + "'-64'");
        assertRefused(HEAD + "1,0,3,9223372036854775808\n", 2, 7, "size: " + expected + "'9223372036854775808'");
        assertRefused(HEAD + "1,0,,64\n", 2, 5, "upper: " + expected + "''");
        assertRefused(HEAD + "1,0,3,6.4\n", 2, 7, "size: " + expected + "'6.4'");
        assertRefused(HEAD + "1,0,3,+64\n", 2, 7, "size: " + expected + "'+64'");
        assertRefused(HEAD + "1,0,3,\u0663\n", 2, 7, "size: " + expected + "'\u0663'");
    }

    @Test
    void aRowHasAsManyFieldsAsTheHeader() {
        assertRefused(HEAD + "1,0,3\n", 2, 6, "expected 4 fields, got fewer: 'size' is missing");
        assertRefused(HEAD + "1,0,3,64,5\n", 2, 10, "expected 4 fields, got more");
    }

    @Test
    void anIdHasOneRow() {
        assertRefused(HEAD + "1,0,3,64\n\n1,4,5,64\n", 4, 1, "id: expected a unique one, got 1, which line 2 has too");
    }

    @Test
    void upper_belowLower_isRejected() {
        assertRefused(HEAD + "1,4,3,64\n", 2, 1, "upper: expected at least lower, which is 4, got 3");
    }

    @Test
    void aSlotEndsWithinALong() {
        assertPlanRefused(
                PLACED + "1,0,3,64,9223372036854775800\n",
                2,
                1,
                "offset: expected offset + size of at most 9223372036854775807, got 9223372036854775800 + 64");
    }

    @Test
    void aBufferWithBytesHasAnOffsetInAPlan() {
        assertPlanRefused(
                PLACED + "1,0,3,64,\n", 2, 1, "offset: expected one for a buffer of 64 bytes, got an empty field");
    }

    @Test
    void buffersOfAPlanTogetherHaveNoMoreBytesThanALongCounts() {
        assertPlanRefused(
                PLACED + "1,0,1,4611686018427387904,0\n\n2,1,2,4611686018427387904,0\n",
                4,
                1,
                "size: expected the sizes of all buffers to add up to at most 9223372036854775807 bytes, got more with"
                        + " this one of 4611686018427387904");
    }
}
