package io.devicearena.conformance.oracle;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.Arrays;
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
        MemoryPlan plan = of(
                BYTES,
                Arrays.stream(slots)
                        .map(slot -> new BufferSlot(slot[0], slot[1]))
                        .toArray(BufferSlot[]::new));
        List<NodeId> schedule = new ArrayList<>(plan.schedule());
        schedule.add(4, NODE_8);
        return new MemoryPlan(BYTES, plan.slots(), schedule);
    }

    /** The bytes of an arena that {@code ConformanceTopic.openExample} opened. */
    public static byte[] filled() {
        return TestData.filled(BYTES + 16, 0x55);
    }

    /** A plan of nodes 1, 2 and so on, which have these slots. */
    public static MemoryPlan of(long size, BufferSlot... slots) {
        Map<NodeId, BufferSlot> all = new LinkedHashMap<>();
        for (BufferSlot slot : slots) {
            all.put(NodeId.of(all.size() + 1L), slot);
        }
        return new MemoryPlan(size, all, List.copyOf(all.keySet()));
    }

    /** A plan of bytes without values. */
    public static MemoryPlan bytes(long size) {
        return of(size);
    }

    /** A plan of node 1 alone, at its beginning. */
    public static MemoryPlan node1(long size) {
        return of(size, new BufferSlot(0, size));
    }
}
