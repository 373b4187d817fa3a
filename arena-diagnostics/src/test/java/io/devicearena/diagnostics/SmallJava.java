package io.devicearena.diagnostics;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;

/** A program that uses all that is observed; {@link SmallJavaTest} runs it. */
final class SmallJava {
    private SmallJava() {}

    public static void main(String[] arguments) {
        try (DeviceArena arena = TestProvider.open(
                CheckedGraph.plan(), ArenaOptions.defaults().withChecks().withLabel("small"))) {
            NodeId input = CheckedGraph.X;
            arena.writeInputF32(input, DType.F32, new float[CheckedGraph.N]);
            System.out.println("read " + arena.readOutputF32(input, DType.F32, CheckedGraph.N).length);
            MemoryReport.now().arenas().forEach(memory -> System.out.println(memory.label() + " " + memory.bytes()));
        }
        try {
            MemoryReport.registerMBean();
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
    }
}
