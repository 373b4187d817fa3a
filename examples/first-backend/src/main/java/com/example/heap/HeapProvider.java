package com.example.heap;

import io.devicearena.*;
import io.devicearena.spi.*;
import java.lang.foreign.MemorySegment;
import java.util.*;

public final class HeapProvider implements DeviceArenaProvider {
    @Override public int spiVersion() { return SpiVersion.CURRENT; }

    @Override public String name() { return "heap"; }

    @Override public Availability probe() { // never throws: a missing driver or device is an answer too
        return new Availability.Ready(List.of(new ArenaDevice(
                name(), 0, "Java heap", "byte arrays", DeviceKind.HOST, 150, // cpu has 200 and is preferred
                new ArenaLimits(1 << 30, "largest arena of heap", 16, Long.MAX_VALUE), Set.of())));
    }

    @Override public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        if (!device.provider().equals(name())) {
            throw new IllegalArgumentException("device: expected one of provider 'heap', got " + device);
        }
        long bytes = ArenaGeometry.of(plan, options, device).sizeBytes(); // checks the device's limit
        try {
            return new HeapBackend(MemorySegment.ofArray(new byte[(int) bytes]));
        } catch (OutOfMemoryError e) {
            throw new ArenaOutOfMemoryException("heap: no room for " + bytes + " bytes; raise -Xmx", e);
        }
    }

    private static final class HeapBackend implements ArenaBackend {
        private MemorySegment memory;

        HeapBackend(MemorySegment memory) { this.memory = memory; }

        @Override public void write(long offset, MemorySegment source) {
            MemorySegment.copy(source, 0, memory, offset, source.byteSize());
        }

        @Override public void read(long offset, MemorySegment destination) {
            MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
        }

        @Override public void close() { memory = MemorySegment.NULL; } // a closed arena may stay referenced
    }
}
