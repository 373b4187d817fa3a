import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.devicearena.*;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.*;
import java.lang.foreign.MemorySegment;
import java.util.*;

class FirstEngine {
    record Node(NodeId id, NodeRole role, DType dtype, long elements, List<NodeId> inputs) implements PlanNode {}

    record Graph(List<Node> nodes) implements PlanGraph {}

    /** Where a value lies in the memory of an arena on the host. */
    static MemorySegment memory(DeviceArena arena, NodeId value) {
        return arena.unwrap(MemorySegment.class).orElseThrow().asSlice(arena.byteOffset(value).orElseThrow());
    }

    public static void main(String[] args) {
        NodeId x = NodeId.of(0), w = NodeId.of(1), h = NodeId.of(2), y = NodeId.of(3);
        Graph graph = new Graph(List.of(
                new Node(x, NodeRole.INPUT, DType.F32, 5, List.of()),
                new Node(w, NodeRole.PARAMETER, DType.F32, 5, List.of()),
                new Node(h, NodeRole.OP, DType.F32, 5, List.of(x, w)), // h = x * w
                new Node(y, NodeRole.OUTPUT, DType.F32, 5, List.of(h)))); // y = max(h, 0)
        ArenaOptions options = ArenaOptions.defaults().withProvider("cpu"); // its ops are loops over host memory
        MemoryPlan plan = MemoryPlanner.plan(graph, PlanOptions.forDevice(DeviceArenas.choose(options))).plan();
        try (DeviceArena arena = DeviceArenas.open(plan, options)) {
            arena.writeInputF32(w, DType.F32, new float[] {2, 2, -2, 2, 2});
            arena.writeInputF32(x, DType.F32, new float[] {1, 2, 3, 4, 5});

            MemorySegment xs = memory(arena, x), ws = memory(arena, w), hs = memory(arena, h), ys = memory(arena, y);
            for (int i = 0; i < 5; i++) {
                hs.setAtIndex(JAVA_FLOAT, i, xs.getAtIndex(JAVA_FLOAT, i) * ws.getAtIndex(JAVA_FLOAT, i));
            }
            for (int i = 0; i < 5; i++) {
                ys.setAtIndex(JAVA_FLOAT, i, Math.max(hs.getAtIndex(JAVA_FLOAT, i), 0));
            }

            float[] result = arena.readOutputF32(y, DType.F32, 5);
            System.out.println(arena.sizeBytes() + " bytes on " + arena.device().name() + ", y = " + Arrays.toString(result));
        }
    }
}
