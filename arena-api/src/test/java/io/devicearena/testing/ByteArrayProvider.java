package io.devicearena.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.List;
import java.util.function.Supplier;

/** A provider of one device, whose arenas have the backends that the test makes. */
public final class ByteArrayProvider implements DeviceArenaProvider {
    private final Supplier<? extends ArenaBackend> backend;
    /** How many times {@code open} was called. */
    public int opened;

    public ByteArrayProvider(Supplier<? extends ArenaBackend> backend) {
        this.backend = backend;
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return "third";
    }

    @Override
    public Availability probe() {
        return new Availability.Ready(List.of(ByteArrayBackend.byteArray()));
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        opened++;
        return backend.get();
    }
}
