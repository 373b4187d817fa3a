package io.devicearena.bench.table;

import io.devicearena.ArenaOptions;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Opens the arenas of the cases. */
final class CaseArenas {
    private CaseArenas() {}

    /** A plan of values of equal size, {@code stride} bytes from start to start. */
    static MemoryPlan values(int count, long bytes, long stride) {
        Map<NodeId, BufferSlot> slots = LinkedHashMap.newLinkedHashMap(count);
        for (int i = 0; i < count; i++) {
            slots.put(NodeId.of(i), new BufferSlot(i * stride, bytes));
        }
        return new MemoryPlan(count * stride, slots, List.copyOf(slots.keySet()));
    }

    /** Opens an arena, runs the cases and closes it; an arena that is too large for the device is skipped. */
    static void with(CaseRecorder recorder, MemoryPlan plan, F16ShadowMode shadow, Consumer<DeviceArena> cases) {
        ArenaOptions options =
                ArenaOptions.defaults().withProvider(recorder.provider()).withF16Shadow(shadow);
        DeviceArena opened;
        try {
            opened = DeviceArenas.open(plan, options);
        } catch (IllegalArgumentException | ArenaOutOfMemoryException e) {
            recorder.skip("arena of " + plan.arenaSize() + " bytes", String.valueOf(e.getMessage()));
            return;
        }
        try (DeviceArena arena = opened) {
            cases.accept(arena);
        }
    }
}
