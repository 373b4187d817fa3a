package io.devicearena.wgpu.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.Availability;
import io.devicearena.wgpu.WgpuArena;
import io.devicearena.wgpu.WgpuDeviceArenaProvider;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.arena.WgpuBackend;
import io.devicearena.wgpu.kernel.Kernels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arenas for tests, on the first device. */
public final class TestArenas {
    public static final WgpuDeviceArenaProvider PROVIDER = new WgpuDeviceArenaProvider();

    private TestArenas() {}

    /** The first device; without a device the test is skipped. */
    public static ArenaDevice device() {
        return switch (PROVIDER.probe()) {
            case Availability.Ready ready -> ready.devices().getFirst();
            case Availability.Missing missing -> throw Needs.missing("wgpu device: " + missing.reason());
        };
    }

    public static DeviceArena open(MemoryPlan plan) {
        return open(plan, ArenaOptions.defaults());
    }

    /** An arena on it. */
    public static DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        return PROVIDER.openArena(device(), plan, options);
    }

    /** What an arena of the provider has beside its memory. */
    public static WgpuArena wgpu(DeviceArena arena) {
        return arena.unwrap(WgpuArena.class).orElseThrow();
    }

    public static Kernels kernels(DeviceArena arena) {
        return wgpu(arena).kernels();
    }

    public static F16Shadow shadow(DeviceArena arena) {
        return arena.unwrap(F16Shadow.class).orElseThrow();
    }

    /** The memory of an arena. */
    public static WgpuBackend memory(DeviceArena arena) {
        return arena.unwrap(ArenaContext.class).orElseThrow().backend();
    }

    /** A plan with one value for each pair of an offset and a size, numbered from 0. */
    public static MemoryPlan plan(long... offsetsAndSizes) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        long end = 0;
        for (int i = 0; i < offsetsAndSizes.length; i += 2) {
            BufferSlot slot = new BufferSlot(offsetsAndSizes[i], offsetsAndSizes[i + 1]);
            slots.put(NodeId.of(i / 2), slot);
            end = Math.max(end, slot.end());
        }
        return new MemoryPlan(end, slots, List.copyOf(slots.keySet()));
    }
}
