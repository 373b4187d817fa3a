/**
 * The events that every arena reports to the JDK Flight Recorder: start at {@link
 * io.devicearena.internal.recording.ArenaRecorder}.
 */
@NullMarked
package io.devicearena.internal.recording;

import org.jspecify.annotations.NullMarked;
