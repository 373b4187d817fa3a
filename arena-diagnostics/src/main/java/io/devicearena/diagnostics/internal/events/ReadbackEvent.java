package io.devicearena.diagnostics.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A range of an arena was read into host memory. Threads: one thread at a time. */
@Name("io.devicearena.Readback")
@Label("Readback")
@Description("A range of an arena was read into host memory")
@Category("Device Arena")
@StackTrace(false)
@Threshold("1 ms")
final class ReadbackEvent extends TransferEvent {
    /** Reports whether events of this class are recorded; it is never committed. */
    private static final ReadbackEvent PROBE = new ReadbackEvent();

    /** Whether a recording collects these events. */
    static boolean isRecorded() {
        return PROBE.isEnabled();
    }
}
