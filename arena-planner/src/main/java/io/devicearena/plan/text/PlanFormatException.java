package io.devicearena.plan.text;

/**
 * A text is not a plan or a table of buffers.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class PlanFormatException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The line with the fault, from 1 on. */
    private final long line;
    /** The column with the fault, from 1 on. */
    private final int column;

    /**
     * Makes the exception; the message begins with the place.
     *
     * @param line the line, from 1
     * @param column the character of the line, from 1
     * @param problem what was expected and what is there
     */
    public PlanFormatException(long line, int column, String problem) {
        super("line " + line + ", column " + column + ": " + problem);
        this.line = line;
        this.column = column;
    }

    /** {@return the line of the fault, from 1} */
    public long line() {
        return line;
    }

    /** {@return the character of the line where the fault begins, from 1} */
    public int column() {
        return column;
    }
}
