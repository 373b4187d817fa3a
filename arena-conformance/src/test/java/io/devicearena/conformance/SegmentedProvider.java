package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import java.util.Set;

/** The reference provider with a device that holds arenas in segments of 64 KiB. */
public class SegmentedProvider extends ReferenceProvider {
    static final int SEGMENT = 1 << 16;

    /** Made by the kit too. */
    public SegmentedProvider() {}

    @Override
    ArenaLimits limits() {
        return super.limits().withSegments(SEGMENT, "64 kibibytes");
    }

    /** Memory in several buffers is no one segment of host memory. */
    @Override
    Set<Capability> capabilities() {
        return Set.of(Capability.F16_SHADOW);
    }

    @Override
    ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        return options.checks()
                ? super.arena(device, plan, options, geometry)
                : new SegmentedArena(device, plan, options, geometry);
    }
}
