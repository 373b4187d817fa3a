package io.devicearena.internal.recording;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A device arena, or a view of one, was closed. Threads: one thread at a time. */
@Name("io.devicearena.ArenaClose")
@Label("Arena Close")
@Description("A device arena, or a view of one, was closed; the duration includes the wait for calls in flight")
@Category("Device Arena")
@StackTrace(false)
public final class ArenaCloseEvent extends ArenaEvent {
    /** Reports whether events of this class are recorded; it is never committed. */
    private static final ArenaCloseEvent PROBE = new ArenaCloseEvent();

    /** Whether a recording collects these events. */
    static boolean isRecorded() {
        return PROBE.isEnabled();
    }
}
