package io.devicearena.kernel;

import java.io.Serial;

/**
 * A kernel's source does not compile, needs more than the device offers, or gets a constant that does not suit its
 * declaration.
 *
 * <p>The message names the kernel and the position, shows the line of the source, and says what is wrong. Where the
 * compiler found the error, it ends with the compiler's report as it is, of several lines. The position is the first
 * one of the report, or that of the entry point where it has none. It is that of the caller's source, also where the
 * compiler gets a changed text; then columns within the report may differ, and its lines do not.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class KernelSourceException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The line, from 1. */
    private final int line;

    /** The column, from 1. */
    private final int column;

    /**
     * Makes the exception.
     *
     * @param message the whole message
     * @param line the line of the source, 1 or more
     * @param column the column in the line in characters, 1 or more
     */
    public KernelSourceException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /**
     * Returns the line of the source.
     *
     * @return the line, 1 or more
     */
    public int line() {
        return line;
    }

    /**
     * Returns the column in the line.
     *
     * @return the column in characters (Unicode code points), 1 or more
     */
    public int column() {
        return column;
    }
}
