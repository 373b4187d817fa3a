package io.devicearena.bench.kernels;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Places values one after the other, and opens an arena of them that runs kernels. */
final class KernelValues {
    /** The provider that runs kernels. */
    static final String PROVIDER = "wgpu";

    /** Where bindings may begin on every device, for values and for their mirrors at half the offset. */
    private static final long ALIGNMENT = 512;

    private final Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
    private long end;

    /** Places a value. */
    NodeId add(long bytes) {
        NodeId id = NodeId.of(slots.size());
        slots.put(id, new BufferSlot(end, bytes));
        end = (end + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return id;
    }

    /** Opens an arena of the values. */
    DeviceArena open(F16ShadowMode shadow) {
        return DeviceArenas.open(
                new MemoryPlan(end, slots, List.copyOf(slots.keySet())),
                ArenaOptions.defaults()
                        .withProvider(PROVIDER)
                        .withLabel("kernel bench")
                        .withF16Shadow(shadow));
    }
}
