package io.devicearena.discovery;

/**
 * No provider with the wanted name and device is available; the message lists every provider that was found, with its
 * devices or with the reason why it is not available. Or several providers are equally good, and the message lists
 * their devices.
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
