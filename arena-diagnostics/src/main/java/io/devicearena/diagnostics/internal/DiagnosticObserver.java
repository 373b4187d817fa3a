package io.devicearena.diagnostics.internal;

import io.devicearena.MemoryPlan;
import io.devicearena.diagnostics.internal.checks.CheckedMemory;
import io.devicearena.diagnostics.internal.checks.PlanChecks;
import io.devicearena.diagnostics.internal.events.RecordedArena;
import io.devicearena.diagnostics.internal.tracking.LeakDetection;
import io.devicearena.diagnostics.internal.tracking.OpenMemories;
import io.devicearena.diagnostics.internal.tracking.OpenMemory;
import io.devicearena.diagnostics.internal.tracking.OpeningPlace;
import io.devicearena.diagnostics.internal.tracking.OpeningPlaces;
import io.devicearena.spi.Settings;
import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ArenaObserver;
import io.devicearena.spi.observation.ArenaTrace;
import io.devicearena.spi.observation.CheckedAccess;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.spi.observation.MemoryWatch;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks arenas, records their calls, and knows which are open. Threads: safe for any thread. */
public final class DiagnosticObserver implements ArenaObserver {
    private static final OpeningPlaces PLACES = new OpeningPlaces();

    /** Made once: to derive the name takes longer than to open a small arena. */
    private static final String LEAKS_VARIABLE = Settings.variableOf(LeakDetection.PROPERTY);

    /** Makes the observer; {@link java.util.ServiceLoader} does. */
    public DiagnosticObserver() {}

    @Override
    public MemoryWatch watch(long planBytes, boolean checks) {
        return new Watch(leakDetection(), checks ? new CheckedMemory(planBytes) : null);
    }

    /** For which arenas the place of opening is recorded, as the setting says. */
    private static LeakDetection leakDetection() {
        Settings settings = Settings.ofProcess();
        return settings.property(LeakDetection.PROPERTY)
                .map(level -> LeakDetection.of("property " + LeakDetection.PROPERTY, level))
                .or(() -> settings.variable(LEAKS_VARIABLE)
                        .map(level -> LeakDetection.of("variable " + LEAKS_VARIABLE, level)))
                .orElse(LeakDetection.OFF);
    }

    /** Watches one memory; it refers to no arena. Threads: safe for any thread. */
    private static final class Watch implements MemoryWatch {
        private final LeakDetection level;
        private final @Nullable CheckedMemory checked;
        private final long number = OpenMemories.newNumber();

        /** What the memory takes; set before the first arena is opened on it. */
        private Supplier<MemoryFigures> figures = () -> MemoryFigures.NONE;

        private IntSupplier arenas = () -> 0;

        Watch(LeakDetection level, @Nullable CheckedMemory checked) {
            this.level = level;
            this.checked = checked;
        }

        @Override
        public void allocated(Supplier<MemoryFigures> taken, IntSupplier users) {
            figures = taken;
            arenas = users;
        }

        @Override
        public ArenaTrace opened(ArenaIdentity arena) {
            OpeningPlace place = PLACES.next(level);
            if (!arena.view()) {
                OpenMemories.add(number, new OpenMemory(arena, figures, arenas, System.nanoTime(), place));
            }
            return RecordedArena.opened(arena, place);
        }

        @Override
        public ExecutionChecks checks(
                MemoryPlan plan, boolean typed, Optional<ExecutionChecks> weights, CheckedAccess access) {
            if (checked == null) {
                throw new AssertionError("memory without checks"); // its arenas are opened without
            }
            return new PlanChecks(access, plan, checked, (PlanChecks) weights.orElse(null), typed);
        }

        @Override
        public void freed() {
            OpenMemories.remove(number);
        }
    }
}
