/**
 * The memory that the arenas of a process use: start at {@link io.devicearena.monitoring.MemoryReport}.
 */
@NullMarked
package io.devicearena.monitoring;

import org.jspecify.annotations.NullMarked;
