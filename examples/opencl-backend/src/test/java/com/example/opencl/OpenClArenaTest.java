package com.example.opencl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.Availability;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What this backend leaves to OpenCL: host memory, fills and copies. */
class OpenClArenaTest {
    private static final int SIZE = 300_001;

    private static DeviceArena open() {
        OpenClProvider provider = new OpenClProvider();
        Availability answer = provider.probe();
        assumeTrue(answer instanceof Availability.Ready, answer::toString);
        MemoryPlan plan =
                new MemoryPlan(SIZE, Map.of(NodeId.of(0), new BufferSlot(0, SIZE)), List.of(NodeId.of(0)));
        return provider.openArena(((Availability.Ready) answer).devices().getFirst(), plan, ArenaOptions.defaults());
    }

    @Test
    void hostMemoryIsSourceAndDestination_untilItIsClosed() {
        try (DeviceArena arena = open()) {
            HostMemory host = arena.allocateHost(SIZE);
            assertEquals(0, host.segment().get(ValueLayout.JAVA_BYTE, SIZE - 1));
            host.segment().fill((byte) 7);
            arena.writeBytes(0, host.segment());
            host.segment().fill((byte) 0);
            arena.readBytes(1, host.segment().asSlice(0, SIZE - 1));
            assertEquals(SIZE - 1, host.segment().mismatch(sevens()));
            host.close();
            assertFalse(host.isOpen());
            arena.allocateHost(4);
        }
    }

    private static MemorySegment sevens() {
        return MemorySegment.ofArray(new byte[SIZE]).fill((byte) 7);
    }

    @Test
    void fillsAndCopies_areThoseOfAnArray() {
        try (DeviceArena arena = open()) {
            byte[] model = new byte[SIZE];
            for (int[] fill : new int[][] {{0, SIZE, 3}, {5, 100, 4}, {1000, 70_000, 5}}) {
                arena.fillBytes(fill[0], fill[1], (byte) fill[2]);
                Arrays.fill(model, fill[0], fill[0] + fill[1], (byte) fill[2]);
            }
            for (int[] copy : new int[][] {{0, 200_000, 90_001}, {3, 7, 60_000}}) {
                arena.copyBytes(copy[0], copy[1], copy[2]);
                System.arraycopy(model, copy[0], model, copy[1], copy[2]);
            }
            byte[] read = new byte[SIZE];
            arena.readBytes(0, MemorySegment.ofArray(read));
            assertArrayEquals(model, read);
            assertTrue(arena.isOpen());
        }
    }
}
