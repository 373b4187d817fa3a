package io.devicearena.spi;

import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ArenaObserver;
import io.devicearena.spi.observation.ArenaTrace;
import io.devicearena.spi.observation.MemoryWatch;
import java.util.ServiceLoader;

/** The observer of this process, or one that observes nothing. Threads: safe for any thread. */
final class Observation {
    private static final System.Logger LOG = System.getLogger("io.devicearena");

    /** Found at the first arena. */
    static final ArenaObserver OBSERVER = ServiceLoader.load(ArenaObserver.class, Observation.class.getClassLoader())
            .findFirst()
            .orElse(Observation::nothing);

    private Observation() {}

    private static MemoryWatch nothing(long planBytes, boolean checks) {
        if (checks) {
            throw new UnsupportedOperationException(
                    "checks: expected the artifact arena-diagnostics on the class path or"
                            + " module path, got none; add io.devicearena:arena-diagnostics, or open without withChecks");
        }
        return Observation::opened;
    }

    /** Records nothing but the drop of an arena. */
    private static ArenaTrace opened(ArenaIdentity arena) {
        return () -> LOG.log(
                System.Logger.Level.WARNING,
                arena.text() + " was dropped without close; its memory is freed now. Add the artifact"
                        + " arena-diagnostics and set the property devicearena.leaks to all to see where it was"
                        + " opened");
    }
}
