package io.devicearena.spi;

/**
 * The version of the provider SPI.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SpiVersion {
    /**
     * The version of this arena-api. A provider returns it from {@link DeviceArenaProvider#spiVersion}; the compiler
     * copies the number into the provider, so it is the version that the provider was built against. A provider that
     * returns another number is listed as not available, with both numbers. The number rises with every change of the
     * SPI.
     */
    public static final int CURRENT = 4;

    private SpiVersion() {}
}
