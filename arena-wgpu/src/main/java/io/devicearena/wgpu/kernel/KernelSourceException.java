package io.devicearena.wgpu.kernel;

import java.io.Serial;

/**
 * A kernel's source is wrong: its WGSL does not compile, or the device does not take what it declares.
 *
 * <p>The message names the kernel and the place, shows the line of the source, and ends with what the compiler said.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class KernelSourceException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The line, 0 for none. */
    private final int line;

    /** The column, 0 for none. */
    private final int column;

    /**
     * Makes the exception.
     *
     * @param message the whole message
     * @param line the line of the source, from 1 on; 0 when the compiler names none
     * @param column the column in it, from 1 on; 0 when the compiler names none
     */
    public KernelSourceException(String message, int line, int column) {
        super(message);
        this.line = line;
        this.column = column;
    }

    /**
     * The line of the source.
     *
     * @return from 1 on; 0 when the compiler names none
     */
    public int line() {
        return line;
    }

    /**
     * The column of the line.
     *
     * @return from 1 on, in bytes of UTF-8; 0 when the compiler names none
     */
    public int column() {
        return column;
    }
}
