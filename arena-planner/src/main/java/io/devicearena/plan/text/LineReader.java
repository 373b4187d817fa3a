package io.devicearena.plan.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Reads a text line by line, and rejects a line that is too long for a text of this format. */
final class LineReader {
    static final int LONGEST_LINE = 65_536;

    private final BufferedReader source;
    private final char separator;
    private long line;

    LineReader(Reader source, char separator) {
        this.source = new BufferedReader(source);
        this.separator = separator;
    }

    /**
     * Reads a line.
     *
     * @return its fields, or null at the end of the text
     * @throws PlanFormatException if the line is longer than {@link #LONGEST_LINE} characters
     */
    @Nullable Fields read() throws IOException {
        int next = source.read();
        if (next < 0) {
            return null;
        }
        line++;
        StringBuilder text = new StringBuilder();
        for (; next >= 0 && next != '\n'; next = source.read()) {
            if (text.length() == LONGEST_LINE) {
                throw new PlanFormatException(
                        line,
                        LONGEST_LINE + 1,
                        "expected a line of at most " + LONGEST_LINE
                                + " characters, got a longer one; is this the right file?");
            }
            text.append((char) next);
        }
        if (!text.isEmpty() && text.charAt(text.length() - 1) == '\r') {
            text.setLength(text.length() - 1);
        }
        if (line == 1 && !text.isEmpty() && text.charAt(0) == '\uFEFF') {
            text.deleteCharAt(0);
        }
        return new Fields(text.toString(), separator, line);
    }

    /** Reads the next line that is not blank; null at the end of the text. */
    @Nullable Fields readNonBlank() throws IOException {
        Fields fields = read();
        while (fields != null && fields.text().isBlank()) {
            fields = read();
        }
        return fields;
    }
}
