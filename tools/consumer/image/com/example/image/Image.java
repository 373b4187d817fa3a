package com.example.image;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Opens an arena on the provider cpu, and lists all providers. */
public final class Image {
    private Image() {}

    /**
     * Runs the program; it ends with an exception if a float differs.
     *
     * @param args not used
     */
    public static void main(String[] args) {
        NodeId value = NodeId.of(0);
        MemoryPlan plan = new MemoryPlan(16, Map.of(value, new BufferSlot(0, 16)), List.of(value));
        float[] written = {1, 2, 3, 4};
        try (DeviceArena arena = DeviceArenas.open(plan, ArenaOptions.defaults().withProvider("cpu"))) {
            arena.writeInputF32(value, DType.F32, written);
            float[] read = arena.readOutputF32(value, DType.F32, written.length);
            if (!Arrays.equals(written, read)) {
                throw new AssertionError("expected " + Arrays.toString(written) + ", got " + Arrays.toString(read));
            }
        }
        DeviceArenas.providers().forEach(report -> System.out.println(report.name() + ": " + report.availability()));
    }
}
