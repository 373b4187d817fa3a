/**
 * What a backend implements.
 *
 * <p>Start at {@link io.devicearena.spi.DeviceArenaProvider} and {@link io.devicearena.spi.ArenaBackend}. The arena in
 * front of a backend checks every argument, so that a backend only moves bytes.
 */
@NullMarked
package io.devicearena.spi;

import org.jspecify.annotations.NullMarked;
