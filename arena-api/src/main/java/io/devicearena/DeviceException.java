package io.devicearena;

/**
 * The device, its driver or its memory failed; the call that throws it did not succeed.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what failed, the figures, and what to do
     */
    public DeviceException(String message) {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message what failed, the figures, and what to do
     * @param cause what the layer below threw
     */
    public DeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
