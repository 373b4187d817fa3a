package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * A provider with one deliberate fault.
 *
 * @param fault what is wrong
 * @param clauses which clauses must fail
 * @param provider makes the provider
 */
record Mutant(String fault, Set<String> clauses, Supplier<DeviceArenaProvider> provider) {
    /** Makes a faulty arena. */
    interface Maker {
        ReferenceArena open(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry);
    }

    /** A correct provider of faulty arenas. */
    static Mutant of(String fault, String clauses, Maker maker) {
        return of(fault, clauses, () -> {
            WrongArenas.maker = maker;
            return new WrongArenas();
        });
    }

    /** A correct provider of faulty arenas, of a device with room for long data. */
    static Mutant ofLarge(String fault, String clauses, Maker maker) {
        return of(fault, clauses, () -> {
            LargeArenas.faulty = maker;
            return new LargeArenas();
        });
    }

    /** A faulty provider. */
    static Mutant of(String fault, String clauses, Supplier<DeviceArenaProvider> provider) {
        return new Mutant(fault, new TreeSet<>(Set.of(clauses.split(" "))), provider);
    }

    /** Opens the mutant's arenas. One mutant is tested at a time; the kit makes further instances itself. */
    public static final class WrongArenas extends ReferenceProvider {
        private static Maker maker = ReferenceArena::new;

        /** Called by the kit too. */
        public WrongArenas() {}

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return maker.open(device, plan, options, geometry);
        }
    }

    /** Opens the mutant's arenas on a device with more memory. One mutant is tested at a time. */
    public static final class LargeArenas extends ReferenceProvider {
        private static final long MOST = 48 << 20;

        private static Maker faulty = ReferenceArena::new;

        /** Called by the kit too. */
        public LargeArenas() {}

        @Override
        ArenaLimits limits() {
            return new ArenaLimits(MOST, "forty-eight mebibytes", 16, MOST);
        }

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return faulty.open(device, plan, options, geometry);
        }
    }

    @Override
    public String toString() {
        return fault;
    }
}
