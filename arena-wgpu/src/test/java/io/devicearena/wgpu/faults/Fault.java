package io.devicearena.wgpu.faults;

/** How a call of the library can fail. */
enum Fault {
    /** The call happens; the library reports an error, as it does when it returns an object that is not valid. */
    REPORTS,
    /** The call does nothing and the library reports an error. */
    SKIPS,
    /** The library objects to a command, and reports the error when the recording is finished. */
    LATER,
    /** The library finishes a recording and reports an error. */
    FINISHES,
    /** The call returns NULL, or none. */
    NOTHING,
    /** The call returns the status of an error. */
    STATUS,
    /** The callback gets the status of an error, and the library reports the error too. */
    CALLS_BACK,
    /** The callback gets the status of a call that was given up, and the library reports nothing. */
    GIVES_UP;

    /** What the library says of an error: it has one type for all of them, so the text decides. */
    enum Kind {
        VALIDATION(0, "Validation Error: injected by the test"),
        OUT_OF_MEMORY(1, "Not enough memory left."),
        LOST(2, "Validation Error: Parent device is lost");

        private final int number;
        private final String text;

        Kind(int number, String text) {
            this.number = number;
            this.text = text;
        }

        /** Its place in the table of texts of the library. */
        int number() {
            return number;
        }

        String text() {
            return text;
        }
    }

    /** A call that can fail, and how. */
    record Call(String function, Fault fault) {
        /** Whether the kinds of errors differ for it: those that have no text have one kind. */
        boolean hasKinds() {
            return fault != NOTHING && fault != STATUS && fault != GIVES_UP;
        }
    }
}
