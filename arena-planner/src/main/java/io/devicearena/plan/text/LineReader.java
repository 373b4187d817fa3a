package io.devicearena.plan.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;

/** Reads a text line by line and each line field by field; faults have the line and the column. */
final class LineReader {
    static final int LONGEST_LINE = 65_536;
    private static final int MOST_SHOWN = 40;

    private final BufferedReader source;
    private final char separator;
    private String text = "";
    private long line;
    private int start;
    private int end;

    LineReader(Reader source, char separator) {
        this.source = new BufferedReader(source);
        this.separator = separator;
    }

    /**
     * Goes to the next line; false at the end of the text.
     *
     * @throws PlanFormatException if the line is longer than {@link #LONGEST_LINE} characters
     */
    boolean nextLine() throws IOException {
        int next = source.read();
        if (next < 0) {
            return false;
        }
        line++;
        StringBuilder read = new StringBuilder();
        for (; next >= 0 && next != '\n'; next = source.read()) {
            if (read.length() == LONGEST_LINE) {
                throw new PlanFormatException(
                        line,
                        LONGEST_LINE + 1,
                        "expected a line of at most " + LONGEST_LINE
                                + " characters, got a longer one; is this the right file?");
            }
            read.append((char) next);
        }
        if (!read.isEmpty() && read.charAt(read.length() - 1) == '\r') {
            read.setLength(read.length() - 1);
        }
        if (line == 1 && !read.isEmpty() && read.charAt(0) == '\uFEFF') {
            read.deleteCharAt(0);
        }
        text = read.toString();
        end = -1;
        return true;
    }

    /** Goes to the next line that is not blank; false if there is none. */
    boolean nextNonBlankLine() throws IOException {
        boolean found = nextLine();
        while (found && text.isBlank()) {
            found = nextLine();
        }
        return found;
    }

    /** Goes to the next field of the line; false if there is none. */
    boolean nextField() {
        if (end == text.length()) {
            return false;
        }
        start = end + 1;
        int found = text.indexOf(separator, start);
        end = found < 0 ? text.length() : found;
        return true;
    }

    /** The line, from 1. */
    long line() {
        return line;
    }

    /** All of the line. */
    String text() {
        return text;
    }

    /** The field without surrounding blanks. */
    String value() {
        return text.substring(start, end).strip();
    }

    /** The field as a number of 0 or more. */
    long number(String name) {
        String value = value();
        try {
            // parseLong takes a sign and the digits of other scripts too
            if (value.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Long.parseLong(value);
            }
        } catch (NumberFormatException e) {
            // reported below: no digit, or too many
        }
        throw fault(
                name + ": expected a whole number from 0 to " + Long.MAX_VALUE + ", got '" + shortened(value) + "'");
    }

    /** A fault at the field. */
    PlanFormatException fault(String problem) {
        return new PlanFormatException(line, start + 1, problem);
    }

    /** A fault of all of the line. */
    PlanFormatException faultAtStart(String problem) {
        return new PlanFormatException(line, 1, problem);
    }

    /** A fault where the line ends too early. */
    PlanFormatException faultAtEnd(String problem) {
        return new PlanFormatException(line, text.length() + 1, problem);
    }

    /** A text that is short enough for a message. */
    static String shortened(String value) {
        return value.length() <= MOST_SHOWN ? value : value.substring(0, MOST_SHOWN) + "…";
    }
}
