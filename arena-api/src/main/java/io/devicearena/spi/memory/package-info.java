/**
 * What a backend of a device shares with its arenas: memory that is freed when no call uses it, reads that arrive
 * later, and host memory of the device.
 *
 * <p>As the author of a backend start at {@link io.devicearena.spi.memory.GuardedMemory}.
 */
@NullMarked
package io.devicearena.spi.memory;

import org.jspecify.annotations.NullMarked;
