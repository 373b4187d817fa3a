/**
 * What a backend implements.
 *
 * <p>Start at {@link io.devicearena.spi.DeviceArenaProvider}. {@link io.devicearena.spi.AbstractDeviceArena} checks
 * every argument, so that a backend only moves bytes.
 */
@NullMarked
package io.devicearena.spi;

import org.jspecify.annotations.NullMarked;
