package io.devicearena.cli.message;

import java.io.PrintWriter;
import java.util.Locale;

/** One line that shows how far long work is, on a terminal; in a pipe it says nothing. */
public final class ProgressLine {
    /** Set by the launcher, which knows whether standard error is a terminal. */
    private static final String PROPERTY = "devicearena.progress";

    private static final long PAUSE_NANOS = 100_000_000;

    private final PrintWriter err;
    private final boolean shown;
    private long lastShown = System.nanoTime();
    private int width; // of what is shown

    public ProgressLine(PrintWriter err) {
        this(err, Boolean.getBoolean(PROPERTY));
    }

    public ProgressLine(PrintWriter err, boolean shown) {
        this.err = err;
        this.shown = shown;
    }

    public void show(String work, long done, long total) {
        if (shown) {
            double percent = total == 0 ? 100 : 100.0 * done / total;
            tell(String.format(Locale.ROOT, "%s %5.1f %%", work, percent));
        }
    }

    /** Shows how long work stands, in the place of what was shown before. */
    public void tell(String line) {
        long now = System.nanoTime();
        if (shown && now - lastShown >= PAUSE_NANOS) {
            lastShown = now;
            err.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            err.flush();
            width = line.length();
        }
    }

    /** Takes the line away. */
    public void end() {
        if (width > 0) {
            err.print("\r" + " ".repeat(width) + "\r");
            err.flush();
            width = 0;
        }
    }
}
