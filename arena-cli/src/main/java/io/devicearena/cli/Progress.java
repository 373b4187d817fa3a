package io.devicearena.cli;

import java.io.PrintWriter;
import java.util.Locale;

/** One line that shows how far long work is, on a terminal; in a pipe it says nothing. */
final class Progress {
    /** Set by the launcher, which knows whether standard error is a terminal. */
    private static final String PROPERTY = "devicearena.progress";

    private static final long PAUSE_NANOS = 100_000_000;

    private final PrintWriter err;
    private final boolean shown;
    private long lastShown = System.nanoTime();
    private boolean dirty;

    Progress(PrintWriter err) {
        this(err, Boolean.getBoolean(PROPERTY));
    }

    Progress(PrintWriter err, boolean shown) {
        this.err = err;
        this.shown = shown;
    }

    void show(String work, long done, long total) {
        long now = System.nanoTime();
        if (shown && now - lastShown >= PAUSE_NANOS) {
            lastShown = now;
            dirty = true;
            double percent = total == 0 ? 100 : 100.0 * done / total;
            err.print(String.format(Locale.ROOT, "\r%-60s", String.format(Locale.ROOT, "%s %5.1f %%", work, percent)));
            err.flush();
        }
    }

    /** Takes the line away. */
    void end() {
        if (dirty) {
            err.print("\r" + " ".repeat(60) + "\r");
            err.flush();
            dirty = false;
        }
    }
}
