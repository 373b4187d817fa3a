package io.devicearena.plan.text;

/** The fields of one line, and the column where each begins, for messages about faults. */
final class Fields {
    private static final int MOST_SHOWN = 40;

    private final String text;
    private final char separator;
    private final long line;
    private int start;
    private int end = -1;

    Fields(String text, char separator, long line) {
        this.text = text;
        this.separator = separator;
        this.line = line;
    }

    /** The whole line. */
    String text() {
        return text;
    }

    /** The number of the line, from 1. */
    long line() {
        return line;
    }

    /** Goes to the next field; false when there is none. */
    boolean advance() {
        if (end == text.length()) {
            return false;
        }
        start = end + 1;
        int found = text.indexOf(separator, start);
        end = found < 0 ? text.length() : found;
        return true;
    }

    /** The current field without surrounding blanks. */
    String value() {
        return text.substring(start, end).strip();
    }

    /** The current field as a number of 0 or more. */
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

    /** A fault at the current field. */
    PlanFormatException fault(String problem) {
        return new PlanFormatException(line, start + 1, problem);
    }

    /** A fault of the whole line. */
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
