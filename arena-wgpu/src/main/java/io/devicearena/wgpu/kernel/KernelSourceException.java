package io.devicearena.wgpu.kernel;

import java.io.Serial;

/**
 * A kernel's source does not compile, or declares something that the device does not support.
 *
 * <p>The message names the kernel and the position, shows the line of the source, and ends with the compiler's message.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class KernelSourceException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The line, 0 if unknown. */
    private final int line;

    /** The column, 0 if unknown. */
    private final int column;

    /**
     * Makes the exception.
     *
     * @param message the whole message
     * @param line the line of the source, 1 or more; 0 if the compiler reports none
     * @param column the column in the line, 1 or more; 0 if the compiler reports none
     */
    public KernelSourceException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /**
     * Returns the line of the source.
     *
     * @return the line, 1 or more; 0 if the compiler reports none
     */
    public int line() {
        return line;
    }

    /**
     * Returns the column in the line.
     *
     * @return the column in bytes of UTF-8, 1 or more; 0 if the compiler reports none
     */
    public int column() {
        return column;
    }
}
