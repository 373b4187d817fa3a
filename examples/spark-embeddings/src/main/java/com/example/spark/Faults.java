package com.example.spark;

/** Says what ended a job: Spark wraps it, and adds stacks. */
final class Faults {
    private Faults() {}

    /** The first line of the cause behind all others, with the name of its class if that says more. */
    static String line(Throwable fault) {
        Throwable cause = fault;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return cause instanceof IllegalArgumentException || cause instanceof IllegalStateException
                ? message
                : cause.getClass().getSimpleName() + ": " + message;
    }
}
