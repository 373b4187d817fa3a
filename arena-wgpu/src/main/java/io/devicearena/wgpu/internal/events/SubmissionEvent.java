package io.devicearena.wgpu.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Commands were submitted to a device. Threads: one thread at a time. */
@Name("io.devicearena.Submission")
@Label("Submission")
@Description("Commands were submitted to a device; the duration is that of the call, not of the commands")
@Category("Device Arena")
@StackTrace(false)
public final class SubmissionEvent extends Event {
    /** Reports whether events of this class are recorded; it is never committed. */
    static final SubmissionEvent PROBE = new SubmissionEvent();

    @Label("Device")
    String device = "";

    @Label("Number")
    @Description("The submissions to the device so far, this one included")
    long number;
}
