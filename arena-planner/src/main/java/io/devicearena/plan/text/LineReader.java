package io.devicearena.plan.text;

import io.devicearena.NodeId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.Map;

/** Reads a text line by line and each line field by field; faults have the line and the column. */
final class LineReader {
    static final int LONGEST_LINE = 65_536;
    private static final int MOST_SHOWN = 40;

    private final BufferedReader source;
    private final char separator;
    private final Map<NodeId, Long> firstLines = new HashMap<>();
    private String text = "";
    private long line;
    private int start;
    private int end;

    LineReader(Reader source, char separator) {
        this.source = new BufferedReader(source);
        this.separator = separator;
    }

    /** Goes to the next line; false at the end of the text. */
    boolean nextLine() throws IOException {
        int next = source.read();
        if (next < 0) {
            return false;
        }
        line++;
        StringBuilder read = new StringBuilder();
        for (; next >= 0 && next != '\n'; next = source.read()) {
            if (read.length() == LONGEST_LINE) {
                String problem = "expected a line of at most " + LONGEST_LINE
                        + " characters, got a longer one; is this the right file?";
                throw new PlanFormatException(line, LONGEST_LINE + 1, problem);
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

    /** Goes to the next field of the line; false, and to the end of the line, if there is none. */
    boolean nextField() {
        if (end == text.length()) {
            start = end;
            return false;
        }
        start = end + 1;
        int found = text.indexOf(separator, start);
        end = found < 0 ? text.length() : found;
        return true;
    }

    /** Goes back to the start of the line, for faults of all of it. */
    void restart() {
        start = 0;
    }

    String text() {
        return text;
    }

    /** The field without surrounding blanks. */
    String value() {
        return text.substring(start, end).strip();
    }

    /** The field as it stands. */
    String rawValue() {
        return text.substring(start, end);
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

    /** Checks that no line before has an id. */
    void requireUnique(NodeId id) {
        Long first = firstLines.putIfAbsent(id, line);
        if (first != null) {
            throw fault("id: expected a unique one, got " + id.value() + ", which line " + first + " has too");
        }
    }

    /** A fault at the field, or where a further one is missing. */
    PlanFormatException fault(String problem) {
        return new PlanFormatException(line, start + 1, problem);
    }

    static String shortened(String value) {
        return value.length() <= MOST_SHOWN ? value : value.substring(0, MOST_SHOWN) + "…";
    }
}
