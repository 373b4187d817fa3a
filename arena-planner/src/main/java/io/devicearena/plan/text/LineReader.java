package io.devicearena.plan.text;

import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Reads a text line by line, and rejects a line that is too long for a text of this format. */
final class LineReader {
    static final int LONGEST_LINE = 65_536;

    private final Reader source;
    private final char[] buffer = new char[8192];
    private int length;
    private int next;
    private long line;

    LineReader(Reader source) {
        this.source = source;
    }

    /** The line that was read last, from 1; 0 before the first. */
    long line() {
        return line;
    }

    /**
     * Reads a line.
     *
     * @return the line without its end, or null at the end of the text
     * @throws PlanFormatException if the line is longer than {@link #LONGEST_LINE} characters
     */
    @Nullable String read() throws IOException {
        StringBuilder text = new StringBuilder();
        boolean any = false;
        while (true) {
            if (next == length) {
                length = source.read(buffer);
                next = 0;
                if (length <= 0) {
                    length = 0;
                    return any ? ended(text) : null;
                }
            }
            if (!any) {
                any = true;
                line++;
            }
            int start = next;
            while (next < length && buffer[next] != '\n') {
                next++;
            }
            text.append(buffer, start, next - start);
            if (text.length() > LONGEST_LINE) {
                throw new PlanFormatException(
                        line,
                        LONGEST_LINE + 1,
                        "expected a line of at most " + LONGEST_LINE
                                + " characters, got a longer one; is this the right file?");
            }
            if (next < length) {
                next++;
                return ended(text);
            }
        }
    }

    private String ended(StringBuilder text) {
        int end = text.length();
        if (end > 0 && text.charAt(end - 1) == '\r') {
            text.setLength(end - 1);
        }
        if (line == 1 && !text.isEmpty() && text.charAt(0) == '\uFEFF') {
            text.deleteCharAt(0);
        }
        return text.toString();
    }
}
