package com.example.llm;

import java.io.IOException;

/** What a command writes cannot be written; the message is one line for the user. */
final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutputException(String message, IOException cause) {
        super(message, cause);
    }
}
