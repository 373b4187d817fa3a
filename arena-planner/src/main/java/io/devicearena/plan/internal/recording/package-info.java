/**
 * The events that the planner reports to the JDK Flight Recorder: start at {@link
 * io.devicearena.plan.internal.recording.PlanRecorder}.
 */
@NullMarked
package io.devicearena.plan.internal.recording;

import org.jspecify.annotations.NullMarked;
