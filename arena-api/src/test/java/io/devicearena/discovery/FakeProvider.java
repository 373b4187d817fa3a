package io.devicearena.discovery;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** A provider that answers what it is told to, and counts how often it is probed. */
final class FakeProvider implements DeviceArenaProvider {
    private final Supplier<String> name;
    private final int version;
    private final Supplier<Availability> answer;
    int probes;

    FakeProvider(Supplier<String> name, int version, Supplier<Availability> answer) {
        this.name = name;
        this.version = version;
        this.answer = answer;
    }

    static FakeProvider answering(String name, Supplier<Availability> answer) {
        return new FakeProvider(() -> name, SpiVersion.CURRENT, answer);
    }

    static FakeProvider missing(String name) {
        return answering(name, () -> new Availability.Missing("no driver", "install one"));
    }

    /** With a device of each kind; the first has index 0. */
    static FakeProvider ready(String name, DeviceKind... kinds) {
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

    @Override
    public int spiVersion() {
        return version;
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
    public DeviceArena open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        throw new UnsupportedOperationException("the tests of the choice open nothing");
    }
}
