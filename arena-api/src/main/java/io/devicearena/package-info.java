/**
 * The vocabulary of device arenas: what an engine holds in its hands.
 *
 * <p>As a caller, read {@link io.devicearena.DeviceArena} first, then {@link io.devicearena.MemoryPlan}; arenas are
 * opened by {@link io.devicearena.discovery.DeviceArenas}. As an implementer of a backend, read
 * {@link io.devicearena.spi.DeviceArenaProvider} and {@link io.devicearena.spi.AbstractDeviceArena}.
 *
 * <p>This package imports no other package of the API, so that every other one may build on it.
 */
@NullMarked
package io.devicearena;

import org.jspecify.annotations.NullMarked;
