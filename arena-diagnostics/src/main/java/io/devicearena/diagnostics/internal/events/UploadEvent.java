package io.devicearena.diagnostics.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** Host memory was written to a range of an arena. Threads: one thread at a time. */
@Name("io.devicearena.Upload")
@Label("Upload")
@Description("Host memory was written to a range of an arena")
@Category("Device Arena")
@StackTrace(false)
@Threshold("1 ms")
final class UploadEvent extends TransferEvent {
    /** Reports whether events of this class are recorded; it is never committed. */
    private static final UploadEvent PROBE = new UploadEvent();

    /** Whether a recording collects these events. */
    static boolean isRecorded() {
        return PROBE.isEnabled();
    }
}
