package io.devicearena.cli.message;

/**
 * A file that cannot be used. The message begins with the file, and with line and column where they are known.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception about a whole file.
     *
     * @param file the file, or the option that names it
     * @param problem what is wrong
     */
    public InputException(String file, String problem) {
        super(file + ": " + problem);
    }

    /**
     * Makes an exception about a position.
     *
     * @param place where the problem is
     * @param problem what is wrong
     */
    public InputException(FilePosition place, String problem) {
        super(place + ": " + problem);
    }
}
