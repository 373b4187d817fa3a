package io.devicearena.cuda.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.cuda.CudaDeviceArenaProvider;
import io.devicearena.spi.Availability;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A program that opens an arena on each device, uses all of them, and prints what comes of it. */
public final class OpenEachDevice {
    private static final NodeId VALUE = NodeId.of(0);

    private OpenEachDevice() {}

    /** Runs it; there are no arguments. */
    @SuppressWarnings("SystemOut") // a program
    public static void main(String[] arguments) {
        CudaDeviceArenaProvider provider = new CudaDeviceArenaProvider();
        PrintStream out = System.out;
        switch (provider.probe()) {
            case Availability.Missing missing -> out.println("missing: " + missing.reason() + "; " + missing.remedy());
            case Availability.Ready ready -> useAll(provider, ready.devices(), out);
        }
    }

    private static void useAll(CudaDeviceArenaProvider provider, List<ArenaDevice> devices, PrintStream out) {
        MemoryPlan plan = new MemoryPlan(16, Map.of(VALUE, new BufferSlot(0, 16)), List.of(VALUE));
        List<DeviceArena> arenas = new ArrayList<>();
        for (ArenaDevice device : devices) {
            try {
                DeviceArena arena = provider.openArena(device, plan, ArenaOptions.defaults());
                arena.writeInputF32(VALUE, DType.F32, new float[] {arenas.size(), 2});
                arenas.add(arena);
            } catch (RuntimeException e) {
                out.println(device.name() + ": " + e);
            }
        }
        for (DeviceArena arena : arenas) {
            out.println(arena.device().name() + ": " + Arrays.toString(arena.readOutputF32(VALUE, DType.F32, 2)));
            arena.close();
        }
    }
}
