package io.devicearena.spi;

/**
 * The version of the provider SPI.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SpiVersion {
    /**
     * The version that this arena-api speaks. A provider returns it from {@link DeviceArenaProvider#spiVersion}; the
     * compiler copies the number into the provider, so it is the version that the provider was built against. It rises
     * when providers built before would no longer be correct.
     */
    public static final int CURRENT = 1;

    private SpiVersion() {}
}
