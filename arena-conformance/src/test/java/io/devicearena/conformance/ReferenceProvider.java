package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** A correct provider of small arenas that can do everything; each mutant changes one step of it. */
public class ReferenceProvider implements DeviceArenaProvider {
    static final String NAME = "reference";

    /** Small, so that clauses about limits need little memory. */
    static final long MOST_BYTES = 4 << 20;

    /** A quarter of the largest arena: its shadow does not fit one binding. */
    static final long BINDING = 1 << 20;

    /** Made by the kit too, which asks for further instances. */
    public ReferenceProvider() {}

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability probe() {
        return new Availability.Ready(List.of(device(0, "small memory")));
    }

    ArenaDevice device(int index, String name) {
        return new ArenaDevice(
                NAME,
                index,
                name,
                "for the tests of the kit",
                DeviceKind.HOST,
                DeviceKind.HOST.priority(),
                limits(),
                capabilities());
    }

    ArenaLimits limits() {
        return new ArenaLimits(MOST_BYTES, "four mebibytes", 16, BINDING);
    }

    Set<Capability> capabilities() {
        return Set.of(Capability.HOST_MEMORY, Capability.F16_SHADOW);
    }

    @Override
    public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        if (!Objects.requireNonNull(device, "device").provider().equals(NAME)) {
            throw new IllegalArgumentException("device: expected one of provider '" + NAME + "', got '" + device.name()
                    + "' of provider '" + device.provider() + "'");
        }
        return arena(device, plan, options, geometry(device, plan, options));
    }

    ArenaGeometry geometry(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        return ArenaGeometry.of(plan, options, device);
    }

    /** The arenas of the kit's own tests do without the class in front of backends. */
    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        throw new UnsupportedOperationException("open");
    }

    ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        return options.checks()
                ? new CheckedReferenceArena(device, plan, options, geometry)
                : new ReferenceArena(device, plan, options, geometry);
    }
}
