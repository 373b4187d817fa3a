package io.devicearena.cli.message;

/** A file that cannot be used; the message names file, line and column. */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InputException(String file, String problem) {
        super(file + ": " + problem);
    }

    public InputException(FilePosition place, String problem) {
        super(place + ": " + problem);
    }
}
