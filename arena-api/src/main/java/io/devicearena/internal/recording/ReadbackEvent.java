package io.devicearena.internal.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

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

    /** Begins the event of a read; returns null if no recording collects it. */
    static @Nullable TransferEvent beginIfRecorded() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        ReadbackEvent event = new ReadbackEvent();
        event.begin();
        return event;
    }
}
