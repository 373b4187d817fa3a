/**
 * The events that this backend reports to the JDK Flight Recorder, beside those of every arena: start at {@link
 * io.devicearena.wgpu.internal.events.WgpuRecorder}.
 */
package io.devicearena.wgpu.internal.events;
