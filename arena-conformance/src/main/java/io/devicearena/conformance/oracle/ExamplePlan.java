package io.devicearena.conformance.oracle;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The example plan of the specification, and smaller plans. */
public final class ExamplePlan {
    /** An ordinary slot, 0 to 31. */
    public static final NodeId NODE_1 = NodeId.of(1);

    /** The neighbour of node 1, 32 to 63. */
    public static final NodeId NODE_2 = NodeId.of(2);

    /** Scheduled but fused away: no slot. */
    public static final NodeId NODE_8 = NodeId.of(8);

    /** Not in the plan. */
    public static final NodeId NODE_9 = NodeId.of(9);

    /** The plan's size: no multiple of 4, and the scratch follows at once. */
    public static final int BYTES = 77;

    private ExamplePlan() {}

    public static MemoryPlan plan() {
        long[][] slots = {{0, 32}, {32, 32}, {64, 5}, {69, 8}, {0, 32}, {16, 16}, {40, 0}};
        Map<NodeId, BufferSlot> all = new LinkedHashMap<>();
        for (long[] slot : slots) {
            all.put(NodeId.of(all.size() + 1L), new BufferSlot(slot[0], slot[1]));
        }
        List<NodeId> schedule = new ArrayList<>(all.keySet());
        schedule.add(4, NODE_8);
        return new MemoryPlan(BYTES, all, schedule);
    }

    /** The bytes of an arena that {@code ConformanceTopic.openExample} opened. */
    public static byte[] filled() {
        return TestData.filled(BYTES + 16, 0x55);
    }

    /** A plan of bytes without values. */
    public static MemoryPlan bytes(long size) {
        return new MemoryPlan(size, Map.of(), List.of());
    }

    /** A plan of node 1 alone, at its beginning. */
    public static MemoryPlan node1(long size) {
        return new MemoryPlan(size, Map.of(NODE_1, new BufferSlot(0, size)), List.of(NODE_1));
    }
}
