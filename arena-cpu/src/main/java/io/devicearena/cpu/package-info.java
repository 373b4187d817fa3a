/**
 * Arenas over one segment of host memory.
 *
 * <p>An engine needs nothing of this package but the jar on its path; as the author of a backend, read it as the
 * shortest example of one, from {@link io.devicearena.cpu.CpuDeviceArenaProvider}.
 */
@NullMarked
package io.devicearena.cpu;

import org.jspecify.annotations.NullMarked;
