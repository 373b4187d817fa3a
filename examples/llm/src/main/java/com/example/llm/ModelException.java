package com.example.llm;

/** A model, a prompt or a device that does not fit; the message is one line for the user. */
public final class ModelException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Makes an exception with a message of one line. */
    public ModelException(String message) {
        super(message);
    }

    /** Makes an exception with a message of one line, and what caused it. */
    public ModelException(String message, Throwable cause) {
        super(message, cause);
    }
}
