/**
 * Finds the backends on the class path or module path and opens arenas on the chosen one.
 *
 * <p>Start at {@link io.devicearena.discovery.DeviceArenas}.
 */
@NullMarked
package io.devicearena.discovery;

import org.jspecify.annotations.NullMarked;
