package io.devicearena.plan;

/**
 * A graph cannot be planned: it is cyclic, refers to missing nodes, or contradicts itself.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class InvalidGraphException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what is wrong with which node
     */
    public InvalidGraphException(String message) {
        super(message);
    }
}
