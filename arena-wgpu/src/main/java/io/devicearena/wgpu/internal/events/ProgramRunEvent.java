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
    static final ProgramRunEvent PROBE = new ProgramRunEvent();

    @Label("Arena")
    public String arena = "";

    @Label("Device")
    public String device = "";

    @Label("Steps")
    public int steps;

    @Label("Input Bytes")
    @DataAmount
    public long inputBytes;

    @Label("Read Bytes")
    @DataAmount
    public long readBytes;

    @Label("Submissions")
    @Description("Submissions to the device during the run, those of other threads included")
    public long submissions;

    @Label("Waiting Time")
    @Description("Time that the thread waited for the device; 0 for a run that is not awaited")
    @Timespan
    public long waitingTime;

    @Label("Device Time")
    @Description("Time of all steps on the device, as KernelProgram.time measured it; not known for other runs")
    @Timespan
    public long deviceTime = UNKNOWN;
}
