package io.devicearena.wgpu.testing;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Turns the log of the backend off, in programs that make devices lost on purpose. */
public final class SilentLog {
    /** Kept here: an unreferenced logger loses its settings. */
    private static final Logger LOGGER = Logger.getLogger("io.devicearena.wgpu");

    private SilentLog() {}

    /** Drops all lines from now on. */
    public static void begin() {
        LOGGER.setLevel(Level.OFF);
    }
}
