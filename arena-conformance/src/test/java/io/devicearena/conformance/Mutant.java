package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.function.Supplier;

/**
 * A provider with one deliberate fault.
 *
 * @param fault what is wrong
 * @param clause the number of the first clause that must fail, in the order of the specification
 * @param text what the message of that failure must contain
 * @param provider makes the provider
 * @param right a provider of the same devices without the fault
 */
record Mutant(
        String fault, String clause, String text, Supplier<DeviceArenaProvider> provider, DeviceArenaProvider right) {
    /** Makes a faulty arena. */
    interface Maker {
        ReferenceArena open(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry);
    }

    /** A correct provider of faulty arenas. Their checks are correct. */
    static Mutant of(String fault, String clause, String text, Maker maker) {
        return ofState(fault, clause, text, () -> maker);
    }

    /** A correct provider of faulty arenas, which know something of each other; that is made anew for each provider. */
    static Mutant ofState(String fault, String clause, String text, Supplier<Maker> state) {
        return made(fault, clause, text, new ReferenceProvider(), () -> {
            Maker maker = state.get();
            return () -> new Arenas(maker);
        });
    }

    /** A correct provider of arenas whose checks are faulty. */
    static Mutant ofChecks(String fault, String clause, String text, Maker maker) {
        return ofProvider(fault, clause, text, () -> new ReferenceProvider() {
            @Override
            ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                return options.checks()
                        ? maker.open(device, plan, options, geometry)
                        : super.arena(device, plan, options, geometry);
            }
        });
    }

    /** A correct provider of faulty arenas, of a device with room for long data. */
    static Mutant ofLarge(String fault, String clause, String text, Maker maker) {
        return made(fault, clause, text, new Large(ReferenceArena::new), () -> () -> new Large(maker));
    }

    /** A correct provider of faulty arenas in several segments. */
    static Mutant ofSegments(String fault, String clause, String text, Maker maker) {
        return ofSegmentsProvider(fault, clause, text, () -> new SegmentedProvider() {
            @Override
            ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                return options.checks()
                        ? super.arena(device, plan, options, geometry)
                        : maker.open(device, plan, options, geometry);
            }
        });
    }

    /** A faulty provider, of which the kit makes several. */
    static Mutant ofProvider(String fault, String clause, String text, Supplier<ReferenceProvider> instances) {
        return made(fault, clause, text, new ReferenceProvider(), () -> instances);
    }

    /** A faulty provider of arenas in several segments. */
    static Mutant ofSegmentsProvider(String fault, String clause, String text, Supplier<ReferenceProvider> instances) {
        return made(fault, clause, text, new SegmentedProvider(), () -> instances);
    }

    private static Mutant made(
            String fault,
            String clause,
            String text,
            ReferenceProvider right,
            Supplier<Supplier<ReferenceProvider>> instances) {
        return new Mutant(
                fault,
                clause,
                text,
                () -> {
                    Faulty.TESTED.set(instances.get());
                    return new Faulty();
                },
                right);
    }

    /** The provider that this thread tests. The kit makes further instances, there or on a thread that it starts. */
    public static final class Faulty implements DeviceArenaProvider {
        private static final InheritableThreadLocal<Supplier<ReferenceProvider>> TESTED =
                new InheritableThreadLocal<>();

        private final ReferenceProvider instance = TESTED.get().get();

        /** Called by the kit too. */
        public Faulty() {}

        @Override
        public int spiVersion() {
            return instance.spiVersion();
        }

        @Override
        public String name() {
            return instance.name();
        }

        @Override
        public Availability probe() {
            return instance.probe();
        }

        @Override
        public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            return instance.openArena(device, plan, options);
        }

        @Override
        public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            return instance.open(device, plan, options);
        }
    }

    /** A correct provider of faulty arenas. */
    private static class Arenas extends ReferenceProvider {
        private final Maker maker;

        Arenas(Maker maker) {
            this.maker = maker;
        }

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return options.checks()
                    ? super.arena(device, plan, options, geometry)
                    : maker.open(device, plan, options, geometry);
        }
    }

    /** The same on a device with more memory. */
    private static final class Large extends Arenas {
        private static final long MOST = 48 << 20;

        Large(Maker maker) {
            super(maker);
        }

        @Override
        ArenaLimits limits() {
            return new ArenaLimits(MOST, "forty-eight mebibytes", 16, MOST);
        }
    }

    @Override
    public String toString() {
        return fault;
    }
}
