/**
 * The events that every arena reports to the JDK Flight Recorder: start at {@link
 * io.devicearena.diagnostics.internal.events.RecordedArena}.
 */
@NullMarked
package io.devicearena.diagnostics.internal.events;

import org.jspecify.annotations.NullMarked;
