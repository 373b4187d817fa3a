package com.example.jcuda;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.cuda.CudaDeviceArenaProvider;
import io.devicearena.cuda.CudaHandles;
import io.devicearena.spi.Availability;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Writes a value through an arena, changes it by a kernel that JCuda launches, and reads it back both ways. */
public final class Main {
    private static final NodeId VALUE = NodeId.of(0);

    private Main() {}

    /** What came of it: the values as the arena reads them, and as JCuda does. */
    record Read(float[] byArena, float[] byJCuda) {}

    /** Doubles values on the first GPU. */
    static Read twice(ArenaDevice device, float... values) {
        long bytes = (long) values.length * Float.BYTES;
        MemoryPlan plan = new MemoryPlan(bytes, Map.of(VALUE, new BufferSlot(0, bytes)), List.of(VALUE));
        try (JCudaStream jcuda = new JCudaStream(device.index());
                DeviceArena arena = jcuda.provider().openArena(device, plan, ArenaOptions.defaults())) {
            arena.writeInputF32(VALUE, DType.F32, values);
            long address = arena.unwrap(CudaHandles.class).orElseThrow().arena()
                    + plan.slots().get(VALUE).offset();
            jcuda.scale(address, 2, values.length);
            return new Read(arena.readOutputF32(VALUE, DType.F32, values.length), jcuda.read(address, values.length));
        }
    }

    /** Runs it, or says why there is no GPU. */
    public static void main(String[] arguments) {
        switch (new CudaDeviceArenaProvider().probe()) {
            case Availability.Missing missing -> System.out.println("no GPU: " + missing.reason() + "; " + missing.remedy());
            case Availability.Ready ready -> {
                Read read = twice(ready.devices().getFirst(), 1, 2, 3, 4);
                System.out.println("the arena reads " + Arrays.toString(read.byArena()));
                System.out.println("JCuda reads     " + Arrays.toString(read.byJCuda()));
            }
        }
    }
}
