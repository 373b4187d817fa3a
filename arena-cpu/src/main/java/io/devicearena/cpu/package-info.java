/**
 * Arenas over one segment of host memory.
 *
 * <p>An engine only needs the jar on its path. For the author of a backend it is the shortest example of one; start at
 * {@link io.devicearena.cpu.CpuDeviceArenaProvider}.
 */
@NullMarked
package io.devicearena.cpu;

import org.jspecify.annotations.NullMarked;
