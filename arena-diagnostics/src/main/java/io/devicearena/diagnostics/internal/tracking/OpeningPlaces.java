package io.devicearena.diagnostics.internal.tracking;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Records where arenas are opened, for those that the level asks for. Threads: safe for any thread. */
public final class OpeningPlaces {
    /** One in this many openings is recorded when they are sampled. */
    static final int SAMPLE = 64;

    private final AtomicLong openings = new AtomicLong();

    /** Makes the recorder. */
    public OpeningPlaces() {}

    /** The place of the caller that opens an arena now, or null if it is not to be recorded. */
    public @Nullable OpeningPlace next(LeakDetection level) {
        return switch (level) {
            case OFF -> null;
            case SAMPLED -> openings.getAndIncrement() % SAMPLE == 0 ? OpeningPlace.ofCaller() : null;
            case ALL -> OpeningPlace.ofCaller();
        };
    }
}
