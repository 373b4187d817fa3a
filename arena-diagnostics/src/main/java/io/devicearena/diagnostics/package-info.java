/**
 * The memory that the arenas of a process use: start at {@link io.devicearena.diagnostics.MemoryReport}.
 */
@NullMarked
package io.devicearena.diagnostics;

import org.jspecify.annotations.NullMarked;
