/**
 * What the arenas of a process take: start at {@link io.devicearena.monitoring.MemoryReport}.
 */
@NullMarked
package io.devicearena.monitoring;

import org.jspecify.annotations.NullMarked;
