package io.devicearena.wgpu.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A device was found lost. Threads: one thread at a time. */
@Name("io.devicearena.DeviceLost")
@Label("Device Lost")
@Description("A device was found lost; the stack is that of the call that found it")
@Category("Device Arena")
@StackTrace(true)
final class DeviceLostEvent extends Event {
    @Label("Device")
    String device = "";

    @Label("Reason")
    String reason = "";
}
