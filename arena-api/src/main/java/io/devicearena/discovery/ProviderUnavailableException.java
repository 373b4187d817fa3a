package io.devicearena.discovery;

/**
 * No provider, or none with the wanted name and device, can open an arena here. The message lists every provider that
 * was found, and why it is or is not available.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ProviderUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was wanted, and a line for each provider
     */
    public ProviderUnavailableException(String message) {
        super(message);
    }
}
