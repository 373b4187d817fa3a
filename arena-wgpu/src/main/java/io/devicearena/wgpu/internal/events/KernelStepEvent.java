package io.devicearena.wgpu.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The time of a step that {@code KernelProgram.time} measured. Threads: one thread at a time. */
@Name("io.devicearena.KernelStep")
@Label("Kernel Step")
@Description("Time of a dispatch on the device, as KernelProgram.time measured it")
@Category("Device Arena")
@StackTrace(false)
final class KernelStepEvent extends Event {
    @Label("Arena")
    String arena = "";

    @Label("Step")
    String step = "";

    @Label("Kernel")
    String kernel = "";

    @Label("Written Values")
    String written = "";

    @Label("Device Time")
    @Timespan
    long deviceTime;
}
