/**
 * The events that programs report to the JDK Flight Recorder: start at {@link
 * io.devicearena.wgpu.internal.events.FlightEvents}.
 */
package io.devicearena.wgpu.internal.events;
