package io.devicearena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
    private static final NodeId ONE = NodeId.of(1);
    private static final NodeId TWO = NodeId.of(2);
    private static final NodeId THREE = NodeId.of(3);
    private static final NodeId FOUR = NodeId.of(4);
    private static final BufferSlot SLOT = new BufferSlot(0, 16);

    private static Map<NodeId, BufferSlot> slots(NodeId... ids) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        for (NodeId id : ids) {
            slots.put(id, SLOT);
        }
        return slots;
    }

    @Test
    void slotsAreInScheduleOrderThenByNumber() {
        List<NodeId> schedule = List.of(THREE, ONE);
        Map<NodeId, BufferSlot> descending = new TreeMap<>(Comparator.reverseOrder());
        descending.putAll(slots(ONE, TWO, THREE, FOUR));
        for (Map<NodeId, BufferSlot> given :
                List.of(slots(FOUR, TWO, ONE, THREE), descending, new HashMap<>(descending), Map.copyOf(descending))) {
            assertThat(new MemoryPlan(16, given, schedule).slots().keySet()).containsExactly(THREE, ONE, TWO, FOUR);
        }
    }

    @Test
    void plansWithTheSamePartsAreEqual() {
        MemoryPlan plan = new MemoryPlan(16, slots(ONE, TWO), List.of(TWO));
        MemoryPlan same = new MemoryPlan(16, slots(TWO, ONE), List.of(TWO));

        assertThat(plan).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(plan).isNotEqualTo(new MemoryPlan(17, slots(ONE, TWO), List.of(TWO)));
        assertThat(plan).isNotEqualTo(new MemoryPlan(16, slots(TWO), List.of(TWO)));
        assertThat(plan).isNotEqualTo(new MemoryPlan(16, slots(ONE, TWO), List.of(ONE)));
    }

    @Test
    void planCopiesItsArguments() {
        Map<NodeId, BufferSlot> slots = slots(ONE);
        List<NodeId> schedule = new ArrayList<>(List.of(ONE));
        MemoryPlan plan = new MemoryPlan(16, slots, schedule);
        slots.clear();
        schedule.clear();

        assertThat(plan).isEqualTo(new MemoryPlan(16, slots(ONE), List.of(ONE)));
    }

    @Test
    void planIsImmutable() {
        MemoryPlan plan = new MemoryPlan(16, slots(ONE), List.of(ONE));

        assertThatThrownBy(() -> plan.slots().remove(ONE)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> plan.schedule().remove(ONE)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void valueWithoutSlotIsEmpty() {
        MemoryPlan plan = new MemoryPlan(16, slots(ONE), List.of(ONE, TWO));

        assertThat(plan.slot(ONE)).contains(SLOT);
        assertThat(plan.slot(TWO)).isEmpty();
        assertThat(plan.slot(THREE)).isEmpty();
    }

    @Test
    void arenaMayEndPastItsSlotsButNotBefore() {
        assertThat(new MemoryPlan(17, slots(ONE), List.of()).arenaSize()).isEqualTo(17);
        assertThatThrownBy(() -> new MemoryPlan(99, Map.of(ONE, new BufferSlot(90, 10)), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 1: expected a slot within the arena of 99 bytes, got offset 90 + size 10 = 100");
    }

    @Test
    void negativeArenaSizeIsRefused() {
        assertThatThrownBy(() -> new MemoryPlan(-1, Map.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("arena size: expected 0 or more bytes, got -1");
    }

    @Test
    void valueScheduledTwiceIsRefused() {
        assertThatThrownBy(() -> new MemoryPlan(0, Map.of(), List.of(ONE, TWO, ONE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 1: expected once in the schedule, got it twice");
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks exist
    void nullSlotIsRefused() {
        Map<NodeId, BufferSlot> slots = Collections.singletonMap(ONE, null);

        assertThatThrownBy(() -> new MemoryPlan(0, slots, List.of(ONE)))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("slots: null value");
        assertThatThrownBy(() -> new MemoryPlan(0, slots, List.of()))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("slots: null value");
    }

    @Test
    void totalsCountEverySlot() {
        MemoryPlan plan = new MemoryPlan(16, slots(ONE, TWO, THREE), List.of());

        assertThat(plan.totalUnsharedBytes()).isEqualTo(48);
        assertThat(plan.bytesSaved()).isEqualTo(32);
        assertThat(new MemoryPlan(64, slots(ONE), List.of()).bytesSaved()).isEqualTo(-48);
    }

    @Test
    void totalPastALongIsTheLargestLong() {
        BufferSlot half = new BufferSlot(0, Long.MAX_VALUE / 2 + 1);
        MemoryPlan plan = new MemoryPlan(half.end(), Map.of(ONE, half, TWO, half), List.of());

        assertThat(plan.totalUnsharedBytes()).isEqualTo(Long.MAX_VALUE);
        assertThat(plan.bytesSaved()).isEqualTo(Long.MAX_VALUE - half.end());
    }

    @Test
    void textHasTheFigures() {
        assertThat(new MemoryPlan(64, slots(ONE), List.of(ONE, TWO)))
                .hasToString("MemoryPlan[arenaSize=64, slots=1, scheduled=2]");
    }
}
