package io.devicearena.conformance.oracle;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.util.List;
import java.util.Map;

/** The example plan of the specification, and smaller plans. */
public final class ExamplePlan {
    /** An ordinary slot, 0 to 31. */
    public static final NodeId NODE_1 = NodeId.of(1);

    /** The neighbour of node 1, 32 to 63. */
    public static final NodeId NODE_2 = NodeId.of(2);

    /** 64 to 68: its size is a multiple of no element. */
    public static final NodeId NODE_3 = NodeId.of(3);

    /** 69 to 76: begins at an odd byte and ends with the plan. */
    public static final NodeId NODE_4 = NodeId.of(4);

    /** 0 to 31: reuses the bytes of node 1. */
    public static final NodeId NODE_5 = NodeId.of(5);

    /** 16 to 31: shows the second half of node 1. */
    public static final NodeId NODE_6 = NodeId.of(6);

    /** At 40: a slot without bytes. */
    public static final NodeId NODE_7 = NodeId.of(7);

    /** Scheduled but fused away: no slot. */
    public static final NodeId NODE_8 = NodeId.of(8);

    /** Not in the plan. */
    public static final NodeId NODE_9 = NodeId.of(9);

    /** The plan's size: no multiple of 4, and the scratch follows at once. */
    public static final int BYTES = 77;

    private ExamplePlan() {}

    public static MemoryPlan plan() {
        return new MemoryPlan(
                BYTES,
                Map.of(
                        NODE_1, new BufferSlot(0, 32),
                        NODE_2, new BufferSlot(32, 32),
                        NODE_3, new BufferSlot(64, 5),
                        NODE_4, new BufferSlot(69, 8),
                        NODE_5, new BufferSlot(0, 32),
                        NODE_6, new BufferSlot(16, 16),
                        NODE_7, new BufferSlot(40, 0)),
                List.of(NODE_1, NODE_2, NODE_3, NODE_4, NODE_8, NODE_5, NODE_6, NODE_7));
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
