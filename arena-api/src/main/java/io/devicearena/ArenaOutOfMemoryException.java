package io.devicearena;

/**
 * The device does not have enough free memory for an arena or a copy.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ArenaOutOfMemoryException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what failed, the figures, and what to do
     */
    public ArenaOutOfMemoryException(String message) {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message what failed, the figures, and what to do
     * @param cause what the layer below threw
     */
    public ArenaOutOfMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
