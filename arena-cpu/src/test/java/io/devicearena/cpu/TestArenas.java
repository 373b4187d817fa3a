package io.devicearena.cpu;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.Availability;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** Small arenas in host memory. */
final class TestArenas {
    static final NodeId LEFT = NodeId.of(1);

    static final String CLOSED = "device arena 'test' is closed; open a new one";

    private TestArenas() {}

    /** Three slots of 32 bytes side by side. */
    static MemoryPlan threeSlots() {
        return new MemoryPlan(
                96,
                Map.of(
                        LEFT,
                        new BufferSlot(0, 32),
                        NodeId.of(2),
                        new BufferSlot(32, 32),
                        NodeId.of(3),
                        new BufferSlot(64, 32)),
                List.of(LEFT, NodeId.of(2), NodeId.of(3)));
    }

    static MemoryPlan withoutSlots(long bytes) {
        return new MemoryPlan(bytes, Map.of(), List.of());
    }

    static MemoryPlan oneSlot(long bytes) {
        return new MemoryPlan(bytes, Map.of(LEFT, new BufferSlot(0, bytes)), List.of(LEFT));
    }

    static ArenaOptions options() {
        return ArenaOptions.defaults().withLabel("test");
    }

    static ArenaDevice device() {
        return ((Availability.Ready) new CpuDeviceArenaProvider().probe())
                .devices()
                .getFirst();
    }

    static DeviceArena open(MemoryPlan plan) {
        return open(plan, options());
    }

    static DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        return new CpuDeviceArenaProvider().openArena(device(), plan, options);
    }

    /** The bytes of an arena themselves. */
    static MemorySegment memory(DeviceArena arena) {
        return arena.unwrap(MemorySegment.class).orElseThrow();
    }

    /** Every byte of an arena. */
    static byte[] bytesOf(DeviceArena arena) {
        byte[] bytes = new byte[Math.toIntExact(arena.sizeBytes())];
        arena.readBytes(0, MemorySegment.ofArray(bytes));
        return bytes;
    }
}
