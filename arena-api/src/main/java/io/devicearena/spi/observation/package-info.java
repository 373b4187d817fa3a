/**
 * What may watch arenas: records of calls, and checks of the execution. One observer serves a process; the artifact
 * {@code arena-diagnostics} has it. Without it nothing is observed, which costs nothing.
 */
@NullMarked
package io.devicearena.spi.observation;

import org.jspecify.annotations.NullMarked;
