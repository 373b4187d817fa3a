package io.devicearena.wgpu.internal.events;

import io.devicearena.wgpu.internal.gpu.WaitTime;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A run of a program, as the calling thread sees it. Threads: one thread at a time. */
@Name("io.devicearena.ProgramRun")
@Label("Program Run")
@Description("Submission of the steps of a program, with its inputs and reads")
@Category("Device Arena")
@StackTrace(false)
public final class ProgramRunEvent extends Event {
    /** Reports whether events of this class are recorded; it is never committed. */
    private static final ProgramRunEvent PROBE = new ProgramRunEvent();

    @Label("Arena")
    String arena = "";

    @Label("Steps")
    int steps;

    @Label("Input Bytes")
    @DataAmount
    long inputBytes;

    @Label("Read Bytes")
    @DataAmount
    long readBytes;

    @Label("Waiting Time")
    @Description("Time that the thread waited for the device; 0 for a run that is not awaited")
    @Timespan
    long waitingTime;

    /** Collects the waiting time. */
    final transient WaitTime wait = new WaitTime();

    /** Whether a recording collects these events. */
    static boolean isRecorded() {
        return PROBE.isEnabled();
    }
}
