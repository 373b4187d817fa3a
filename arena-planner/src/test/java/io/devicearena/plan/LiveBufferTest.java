package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveBufferTest {
    private static final NodeId ID = NodeId.of(4);

    @Test
    void buffer_withAnEmptyRangeOrNoBytes_isValid() {
        LiveBuffer buffer = new LiveBuffer(ID, 7, 7, 0);

        assertThat(buffer.endStep()).isEqualTo(buffer.firstStep());
    }

    @Test
    void buffer_thatEndsBeforeItBegins_isInvalid() {
        assertThatThrownBy(() -> new LiveBuffer(ID, -1, 2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 4: expected 0 <= firstStep <= endStep, got firstStep -1, endStep 2");
        assertThatThrownBy(() -> new LiveBuffer(ID, 3, 2, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 4: expected 0 <= firstStep <= endStep, got firstStep 3, endStep 2");
    }

    @Test
    void theSizeIsNotNegative() {
        assertThatThrownBy(() -> new LiveBuffer(ID, 0, 1, -8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 4: expected a size of 0 or more bytes, got -8");
    }

    @Test
    void buffersWithOneIdAreNotPlanned() {
        List<LiveBuffer> twice = List.of(new LiveBuffer(ID, 0, 1, 8), new LiveBuffer(ID, 1, 2, 8));

        assertThatThrownBy(() -> MemoryPlanner.plan(twice, PlanOptions.declared(16)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 4: expected once in the schedule, got it twice");
    }

    @Test
    void aBufferThatCannotBeRoundedUpIsNotPlanned() {
        List<LiveBuffer> huge = List.of(new LiveBuffer(ID, 0, 1, Long.MAX_VALUE));

        assertThatThrownBy(() -> MemoryPlanner.plan(huge, PlanOptions.declared(16)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 4: expected a size of at most 9223372036854775791 bytes, got 9223372036854775807");
    }
}
