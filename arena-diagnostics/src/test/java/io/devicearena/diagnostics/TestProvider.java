package io.devicearena.diagnostics;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.SpiVersion;
import io.devicearena.spi.memory.MemoryFigures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Opens arenas on memory of the system, which tests get by {@code unwrap}, with the bytes that were read.
 *
 * @param figures what each memory takes beside the arena
 * @param close runs when a memory is freed
 */
record TestProvider(MemoryFigures figures, Runnable close) implements DeviceArenaProvider {
    static final ArenaDevice DEVICE = new ArenaDevice(
            "third",
            0,
            "byte array",
            "for a test",
            DeviceKind.HOST,
            0,
            new ArenaLimits(1 << 26, "limit", 16, Long.MAX_VALUE),
            Set.of());

    static DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        return new TestProvider(MemoryFigures.NONE, () -> {}).openArena(DEVICE, plan, options);
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return DEVICE.provider();
    }

    @Override
    public Availability probe() {
        return new Availability.Ready(List.of(DEVICE));
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        long size = ArenaGeometry.of(plan, options, device).sizeBytes();
        Arena memory = Arena.ofShared();
        return new Memory(memory, memory.allocate(size, 16), new LongAdder(), this);
    }

    /** The memory of one arena. */
    private record Memory(Arena memory, MemorySegment bytes, LongAdder read, TestProvider provider)
            implements ArenaBackend {
        @Override
        public void write(long offset, MemorySegment source) {
            MemorySegment.copy(source, 0, bytes, offset, source.byteSize());
        }

        @Override
        public void read(long offset, MemorySegment destination) {
            read.add(destination.byteSize());
            MemorySegment.copy(bytes, offset, destination, 0, destination.byteSize());
        }

        @Override
        public <T> Optional<T> unwrap(Class<T> type, OpenArena arena) {
            return Stream.of(bytes, read)
                    .filter(type::isInstance)
                    .map(type::cast)
                    .findFirst();
        }

        @Override
        public MemoryFigures figures() {
            return provider.figures;
        }

        @Override
        public void close() {
            provider.close.run();
            memory.close();
        }
    }
}
