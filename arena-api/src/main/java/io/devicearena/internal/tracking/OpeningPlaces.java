package io.devicearena.internal.tracking;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Records where arenas are opened, for those that the level asks for. Threads: safe for any thread. */
public final class OpeningPlaces {
    /** One in this many openings is recorded when they are sampled. */
    static final int SAMPLE = 64;

    private final AtomicLong openings = new AtomicLong();

    /** Makes the recorder. */
    public OpeningPlaces() {}

    /**
     * Returns the place of the caller that opens an arena, or null if the level does not ask for it.
     *
     * @param level for which arenas places are recorded
     * @param backend the types of backends, whose methods are not the caller's
     */
    public @Nullable OpeningPlace next(LeakDetection level, List<Class<?>> backend) {
        return switch (level) {
            case OFF -> null;
            case SAMPLED -> openings.getAndIncrement() % SAMPLE == 0 ? OpeningPlace.ofCaller(backend) : null;
            case ALL -> OpeningPlace.ofCaller(backend);
        };
    }
}
