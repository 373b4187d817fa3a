package com.example.consumer;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.diagnostics.MemoryReport;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernels.KernelStep;
import io.devicearena.onnx.OnnxModel;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.weights.WeightFile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Opens an arena on the provider cpu, writes floats, and reads them back. */
public final class Consumer {
    private Consumer() {}

    /**
     * Runs the program; it ends with an exception if a float differs.
     *
     * @param args not used
     */
    public static void main(String[] args) {
        List<Class<?>> used = List.of(
                MemoryPlanner.class, WeightFile.class, OnnxModel.class, KernelStep.class, MemoryReport.class);
        NodeId value = NodeId.of(0);
        MemoryPlan plan = new MemoryPlan(16, Map.of(value, new BufferSlot(0, 16)), List.of(value));
        float[] written = {1, 2, 3, 4};
        float[] read = new float[written.length];
        try (DeviceArena arena = DeviceArenas.open(plan, ArenaOptions.defaults().withProvider("cpu"))) {
            arena.writeInputF32(value, DType.F32, written);
            arena.readOutputF32(value, DType.F32, read);
        }
        if (!Arrays.equals(written, read)) {
            throw new AssertionError("expected " + Arrays.toString(written) + ", got " + Arrays.toString(read));
        }
        boolean modular = Consumer.class.getModule().isNamed();
        if (modular != System.getProperty("consumer.path").equals("module-path")) {
            throw new AssertionError("expected the " + System.getProperty("consumer.path") + ", got the other one");
        }
        DeviceArenas.providers().forEach(report -> System.out.println(report.name() + ": " + report.availability()));
        System.out.println("consumer: an arena on the " + System.getProperty("consumer.path") + " with " + used.size()
                + " more modules");
    }
}
