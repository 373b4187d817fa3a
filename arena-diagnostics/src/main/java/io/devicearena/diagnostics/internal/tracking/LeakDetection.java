package io.devicearena.diagnostics.internal.tracking;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** For which arenas the place of opening is recorded. Threads: immutable. */
public enum LeakDetection {
    /** For none. */
    OFF,
    /** For one in {@link OpeningPlaces#SAMPLE} openings, the first included. */
    SAMPLED,
    /** For each. */
    ALL;

    /** The property that names the level. */
    public static final String PROPERTY = "devicearena.leaks";

    /**
     * Finds a level.
     *
     * @param source where the name was set, for the message
     * @param name its name in any case
     * @throws IllegalArgumentException if there is no such level
     */
    public static LeakDetection of(String source, String name) {
        return Arrays.stream(values())
                .filter(level -> level.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(source + ": expected one of "
                        + Arrays.stream(values())
                                .map(level -> level.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))
                        + ", got '" + name + "'; set it to one of these, or do not set it"));
    }
}
