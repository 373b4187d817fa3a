/**
 * What a backend implements.
 *
 * <p>Start at {@link io.devicearena.spi.DeviceArenaProvider}; {@link io.devicearena.spi.AbstractDeviceArena} does every
 * check, so that a backend is left with moving bytes.
 */
@NullMarked
package io.devicearena.spi;

import org.jspecify.annotations.NullMarked;
