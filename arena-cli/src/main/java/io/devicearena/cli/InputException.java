package io.devicearena.cli;

/** A file that cannot be used; the message names file, line and column. */
final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InputException(String file, String problem) {
        super(file + ": " + problem);
    }

    InputException(TextPlace place, String problem) {
        super(place + ": " + problem);
    }
}
