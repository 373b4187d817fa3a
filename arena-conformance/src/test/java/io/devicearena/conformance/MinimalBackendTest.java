package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/** A backend that only writes and reads ranges passes every clause: each default of the interface works. */
class MinimalBackendTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new Minimal();
    }

    /** The shortest provider that there is. */
    public static final class Minimal implements DeviceArenaProvider {
        /** Made by the kit too. */
        public Minimal() {}

        @Override
        public int spiVersion() {
            return SpiVersion.CURRENT;
        }

        @Override
        public String name() {
            return "minimal";
        }

        @Override
        public Availability probe() {
            return new Availability.Ready(List.of(new ArenaDevice(
                    name(),
                    0,
                    "array",
                    "an array on the heap",
                    DeviceKind.HOST,
                    DeviceKind.HOST.priority(),
                    new ArenaLimits(1 << 24, "16 mebibytes", 16, 1 << 24),
                    Set.of())));
        }

        @Override
        public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            if (!device.provider().equals(name())) {
                throw new IllegalArgumentException(
                        "device: expected one of provider 'minimal', got one of '" + device.provider() + "'");
            }
            long bytes = ArenaGeometry.of(plan, options, device).sizeBytes();
            return new Bytes(MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
        }
    }

    private record Bytes(MemorySegment bytes) implements ArenaBackend {
        @Override
        public void write(long offset, MemorySegment source) {
            MemorySegment.copy(source, 0, bytes, offset, source.byteSize());
        }

        @Override
        public void read(long offset, MemorySegment destination) {
            MemorySegment.copy(bytes, offset, destination, 0, destination.byteSize());
        }
    }
}
