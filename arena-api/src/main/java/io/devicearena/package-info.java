/**
 * The types that engines and backends share: arenas, plans, devices and their limits.
 *
 * <p>As a caller, read {@link io.devicearena.DeviceArena} first, then {@link io.devicearena.MemoryPlan}; arenas are
 * opened by {@link io.devicearena.discovery.DeviceArenas}. As an implementer of a backend, read
 * {@link io.devicearena.spi.DeviceArenaProvider} and {@link io.devicearena.spi.ArenaBackend}.
 *
 * <p>This package imports no other package of the API; every other one builds on it.
 */
@NullMarked
package io.devicearena;

import org.jspecify.annotations.NullMarked;
