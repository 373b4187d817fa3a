package io.devicearena.spi;

import io.devicearena.spi.memory.GuardedMemory;

/**
 * The version of the provider SPI.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SpiVersion {
    /**
     * The version that this arena-api speaks. A provider returns it from {@link DeviceArenaProvider#spiVersion}; the
     * compiler copies the number into the provider, so it is the version that the provider was built against. It rises
     * with what providers may implement.
     *
     * <p>Version 2 adds {@link GuardedMemory}, host memory of the device, deferred writes, fills, copies, tokens, and
     * the identity and free memory of a device; each has a default.
     */
    public static final int CURRENT = 2;

    /**
     * The oldest version whose providers this arena-api still loads: what they were built against works as it did. It
     * rises when they would no longer be correct. A provider older than this, or newer than {@link #CURRENT}, is listed
     * as not available, with both versions.
     */
    public static final int OLDEST = 1;

    private SpiVersion() {}
}
