package io.devicearena.cli.output;

import io.devicearena.cli.message.TerminalText;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Locale;

/**
 * What a command prints for people, line by line.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class TextLines extends PrintWriter {
    /**
     * Makes lines.
     *
     * @param target where they are printed; nothing is buffered before it
     */
    public TextLines(Writer target) {
        super(target);
    }

    /**
     * Prints one line of a summary.
     *
     * @param name what the value is
     * @param value the value
     */
    public void line(String name, String value) {
        printf(Locale.ROOT, "%-15s %s%n", name, TerminalText.line(value));
    }
}
