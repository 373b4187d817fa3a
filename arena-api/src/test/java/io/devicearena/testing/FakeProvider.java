package io.devicearena.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaOverhead;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A provider that returns what the test chose and counts its probes. */
public final class FakeProvider implements DeviceArenaProvider {
    private final Supplier<String> name;
    public IntSupplier version;
    private final Supplier<Availability> answer;
    public int probes;
    public Function<ArenaDevice, Optional<String>> identity = _ -> Optional.empty();
    public Function<ArenaDevice, Map<String, Object>> facts = _ -> Map.of();
    public Function<ArenaDevice, OptionalLong> freeBytes = _ -> OptionalLong.empty();
    public Function<ArenaDevice, OptionalLong> totalBytes = _ -> OptionalLong.empty();
    public Function<ArenaDevice, ArenaOverhead> overhead = _ -> ArenaOverhead.NONE;

    public FakeProvider(Supplier<String> name, int version, Supplier<Availability> answer) {
        this.name = name;
        this.version = () -> version;
        this.answer = answer;
    }

    public static FakeProvider answering(String name, Supplier<Availability> answer) {
        return new FakeProvider(() -> name, SpiVersion.CURRENT, answer);
    }

    public static FakeProvider missing(String name) {
        return answering(name, () -> new Availability.Missing("no driver", "install one"));
    }

    /** With a device of each kind; the first has index 0. */
    public static FakeProvider ready(String name, DeviceKind... kinds) {
        List<ArenaDevice> devices = new ArrayList<>();
        for (DeviceKind kind : kinds) {
            devices.add(new ArenaDevice(
                    name,
                    devices.size(),
                    name + " " + kind,
                    "for a test",
                    kind,
                    kind.priority(),
                    new ArenaLimits(1, "limit", 1, 1),
                    Set.of()));
        }
        return answering(name, () -> new Availability.Ready(devices));
    }

    /** With one device. */
    public static FakeProvider withPriority(String name, DeviceKind kind, int priority) {
        ArenaDevice device = new ArenaDevice(
                name, 0, name, "for a test", kind, priority, new ArenaLimits(1, "limit", 1, 1), Set.of());
        return answering(name, () -> new Availability.Ready(List.of(device)));
    }

    @Override
    public int spiVersion() {
        return version.getAsInt();
    }

    @Override
    public String name() {
        return name.get();
    }

    @Override
    public Availability probe() {
        probes++;
        return answer.get();
    }

    @Override
    public Optional<String> identity(ArenaDevice device) {
        return identity.apply(device);
    }

    @Override
    public Map<String, Object> facts(ArenaDevice device) {
        return facts.apply(device);
    }

    @Override
    public OptionalLong freeBytes(ArenaDevice device) {
        return freeBytes.apply(device);
    }

    @Override
    public OptionalLong totalBytes(ArenaDevice device) {
        return totalBytes.apply(device);
    }

    @Override
    public ArenaOverhead overhead(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        return overhead.apply(device);
    }

    /** A device that it lists. */
    public ArenaDevice device(int index) {
        return ((Availability.Ready) answer.get()).devices().get(index);
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        throw new UnsupportedOperationException("these tests open no arena");
    }
}
