package io.devicearena.conformance.runner;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** A provider for tests: small arenas on the heap, on as many devices as are wanted; it may shift every write. */
class HeapProvider implements DeviceArenaProvider {
    private final String name;
    private final Availability availability;
    private final int shift;

    HeapProvider(String name, Availability availability, int shift) {
        this.name = name;
        this.availability = availability;
        this.shift = shift;
    }

    static HeapProvider sound(String name, String... devices) {
        return new HeapProvider(name, ready(name, devices), 0);
    }

    /** Writes one byte past the range, where there is one. */
    static HeapProvider broken(String name, String... devices) {
        return new HeapProvider(name, ready(name, devices), 1);
    }

    static HeapProvider missing(String name) {
        return new HeapProvider(name, new Availability.Missing("there is no heap", "buy one"), 0);
    }

    static Availability ready(String name, String... devices) {
        return new Availability.Ready(IntStream.range(0, devices.length)
                .mapToObj(index -> new ArenaDevice(
                        name,
                        index,
                        devices[index],
                        "an array",
                        DeviceKind.HOST,
                        DeviceKind.HOST.priority(),
                        new ArenaLimits(1 << 24, "heap for tests", 16, Long.MAX_VALUE),
                        Set.of()))
                .toList());
    }

    FoundProvider found() {
        return new FoundProvider(
                new ProviderReport(name, HeapProvider.class.getName(), availability), Optional.of(this));
    }

    /** As discovery reports a provider whose class could not be loaded. */
    static FoundProvider notLoaded(String name) {
        return new FoundProvider(
                new ProviderReport(name, "com.example.Gone", new Availability.Missing("no such class", "add its jar")),
                Optional.empty());
    }

    static List<FoundProvider> all(HeapProvider... providers) {
        return List.of(providers).stream().map(HeapProvider::found).toList();
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Availability probe() {
        return availability;
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        int size = (int) ArenaGeometry.of(plan, options, device).sizeBytes();
        return new HeapBackend(MemorySegment.ofArray(new byte[size + shift]), shift);
    }

    private record HeapBackend(MemorySegment bytes, int shift) implements ArenaBackend {
        @Override
        public void write(long offset, MemorySegment source) {
            MemorySegment.copy(source, 0, bytes, offset + shift, source.byteSize());
        }

        @Override
        public void read(long offset, MemorySegment destination) {
            MemorySegment.copy(bytes, offset, destination, 0, destination.byteSize());
        }
    }
}
