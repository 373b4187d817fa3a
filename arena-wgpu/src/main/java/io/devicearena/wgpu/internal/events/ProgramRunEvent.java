package io.devicearena.wgpu.internal.events;

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
    /** A time that is not known; tools show it as not available. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Reports whether events of this class are recorded; it is never committed. */
    private static final ProgramRunEvent PROBE = new ProgramRunEvent();

    @Label("Arena")
    String arena = "";

    @Label("Device")
    String device = "";

    @Label("Steps")
    int steps;

    @Label("Input Bytes")
    @DataAmount
    long inputBytes;

    @Label("Read Bytes")
    @DataAmount
    long readBytes;

    @Label("Submissions")
    @Description("Submissions to the device during the run, those of other threads included")
    long submissions;

    @Label("Waiting Time")
    @Description("Time that the thread waited for the device; 0 for a run that is not awaited")
    @Timespan
    long waitingTime;

    @Label("Device Time")
    @Description("Time of all steps on the device, as KernelProgram.time measured it; not known for other runs")
    @Timespan
    long deviceTime = UNKNOWN;

    /** Whether a recording collects these events. */
    static boolean isRecorded() {
        return PROBE.isEnabled();
    }
}
