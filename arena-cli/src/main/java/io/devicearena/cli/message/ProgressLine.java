package io.devicearena.cli.message;

import java.io.PrintWriter;
import java.util.Locale;

/**
 * One line on a terminal that shows the progress of long work. In a pipe it prints nothing.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ProgressLine {
    /** The launcher sets it when standard error is a terminal. */
    private static final String PROPERTY = "devicearena.progress";

    private static final long PAUSE_NANOS = 100_000_000;

    private final PrintWriter err;
    private final boolean shown;
    private long lastShown = System.nanoTime();
    private int width; // of the text on the terminal

    /**
     * Makes a line that is shown on terminals only.
     *
     * @param err where it is printed
     */
    public ProgressLine(PrintWriter err) {
        this(err, Boolean.getBoolean(PROPERTY));
    }

    /**
     * Makes a line.
     *
     * @param err where it is printed
     * @param shown whether to print it
     */
    public ProgressLine(PrintWriter err, boolean shown) {
        this.err = err;
        this.shown = shown;
    }

    /**
     * Shows the progress of work in percent.
     *
     * @param work what is done
     * @param done how much of it is done
     * @param total how much there is in all
     */
    public void show(String work, long done, long total) {
        if (isDue()) {
            double percent = total == 0 ? 100 : 100.0 * done / total;
            show(String.format(Locale.ROOT, "%s %5.1f %%", work, percent));
        }
    }

    /** {@return whether a text would be printed now; ask before making one in a fast loop} */
    public boolean isDue() {
        return shown && System.nanoTime() - lastShown >= PAUSE_NANOS;
    }

    /**
     * Replaces the text of the line, at most ten times a second.
     *
     * @param line the new text
     */
    public void show(String line) {
        if (isDue()) {
            lastShown = System.nanoTime();
            String text = TerminalText.line(line);
            err.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
            err.flush();
            width = text.length();
        }
    }

    /** Clears the line. */
    public void clear() {
        if (width > 0) {
            err.print("\r" + " ".repeat(width) + "\r");
            err.flush();
            width = 0;
        }
    }
}
