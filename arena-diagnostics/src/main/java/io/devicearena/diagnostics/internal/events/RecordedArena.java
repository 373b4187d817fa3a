package io.devicearena.diagnostics.internal.events;

import io.devicearena.diagnostics.internal.tracking.LeakDetection;
import io.devicearena.diagnostics.internal.tracking.OpeningPlace;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.ArenaCall;
import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ArenaTrace;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports the events of one arena to the JDK Flight Recorder, and its drop to the log. The module {@code jdk.jfr} is
 * optional. While no recording collects transfers, calls make no event and read no clock.
 *
 * <p>A call that throws reports no event.
 *
 * <p>Threads: safe for any thread.
 */
public final class RecordedArena implements ArenaTrace {
    private static final System.Logger LOG = System.getLogger("io.devicearena");
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private final ArenaIdentity arena;
    private final @Nullable OpeningPlace place;

    private RecordedArena(ArenaIdentity arena, @Nullable OpeningPlace place) {
        this.arena = arena;
        this.place = place;
    }

    /**
     * Reports that an arena was opened.
     *
     * @param arena the arena
     * @param place where it was opened, or null if that was not recorded
     * @return what records its calls
     */
    public static RecordedArena opened(ArenaIdentity arena, @Nullable OpeningPlace place) {
        if (PRESENT) {
            ArenaEvents.opened(arena);
        }
        return new RecordedArena(arena, place);
    }

    @Override
    public boolean isRecording() {
        return PRESENT && ArenaEvents.areTransfersRecorded();
    }

    @Override
    public void record(ArenaCall call, List<Span> spans, Runnable move) {
        if (PRESENT) {
            ArenaEvents.record(arena, call, spans, move);
        } else {
            move.run();
        }
    }

    @Override
    public boolean close(BooleanSupplier close) {
        return PRESENT ? ArenaEvents.close(arena, close) : close.getAsBoolean();
    }

    @Override
    public void dropped() {
        if (PRESENT) {
            ArenaEvents.dropped(arena, place == null ? "" : place.caller());
        }
        String line = arena.text() + " was dropped without close; its memory is freed now";
        if (place == null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    line + ". Set the property " + LeakDetection.PROPERTY + " to all to see where it was opened");
        } else {
            LOG.log(System.Logger.Level.WARNING, line + ". It was opened at " + place.caller(), place);
        }
    }
}
