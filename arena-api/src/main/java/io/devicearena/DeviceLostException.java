package io.devicearena;

/**
 * The device is lost: every later call on its arenas throws this too. Close its arenas and open new ones.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class DeviceLostException extends DeviceException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what failed, the figures, and what to do
     */
    public DeviceLostException(String message) {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message what failed, the figures, and what to do
     * @param cause what the layer below threw
     */
    public DeviceLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
