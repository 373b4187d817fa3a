package io.devicearena.internal.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

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

    /** Begins the event of a write; returns null if no recording collects it. */
    static @Nullable TransferEvent beginIfRecorded() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        UploadEvent event = new UploadEvent();
        event.begin();
        return event;
    }
}
