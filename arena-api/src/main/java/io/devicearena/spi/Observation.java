package io.devicearena.spi;

import io.devicearena.MemoryPlan;
import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.ArenaCall;
import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ArenaObserver;
import io.devicearena.spi.observation.ArenaTrace;
import io.devicearena.spi.observation.CheckedAccess;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.spi.observation.MemoryWatch;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

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
        return new Unwatched();
    }

    /** Watches no memory. Threads: immutable. */
    private record Unwatched() implements MemoryWatch {
        @Override
        public void allocated(Supplier<MemoryFigures> figures, IntSupplier arenas) {}

        @Override
        public ArenaTrace opened(ArenaIdentity arena) {
            return new Untraced(arena);
        }

        @Override
        public ExecutionChecks checks(
                MemoryPlan plan, boolean typed, Optional<ExecutionChecks> weights, CheckedAccess access) {
            throw new AssertionError("memory without checks"); // it could not be opened
        }

        @Override
        public void freed() {}
    }

    /** Records nothing. Threads: immutable. */
    private record Untraced(ArenaIdentity arena) implements ArenaTrace {
        @Override
        public boolean isRecording() {
            return false;
        }

        @Override
        public void record(ArenaCall call, List<Span> spans, Runnable move) {
            move.run();
        }

        @Override
        public boolean close(BooleanSupplier close) {
            return close.getAsBoolean();
        }

        @Override
        public void dropped() {
            LOG.log(
                    System.Logger.Level.WARNING,
                    arena.text() + " was dropped without close; its memory is freed now. Add the artifact"
                            + " arena-diagnostics and set the property devicearena.leaks to all to see where it was"
                            + " opened");
        }
    }
}
