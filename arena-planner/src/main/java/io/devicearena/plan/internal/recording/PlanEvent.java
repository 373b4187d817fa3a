package io.devicearena.plan.internal.recording;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A plan was made. Threads: one thread at a time. */
@Name("io.devicearena.Plan")
@Label("Plan")
@Description("A memory plan was made; the duration is the time of planning")
@Category("Device Arena")
@StackTrace(true)
public final class PlanEvent extends Event {
    /** Reports whether events of this class are recorded; it is never committed. */
    private static final PlanEvent PROBE = new PlanEvent();

    @Label("Strategy")
    String strategy = "";

    @Label("Buffers")
    int buffers;

    @Label("Arena Bytes")
    @DataAmount
    long arenaBytes;

    @Label("Lower Bound")
    @Description("Bytes that every plan of this order of execution needs")
    @DataAmount
    long lowerBoundBytes;

    @Label("Ratio")
    @Description("Arena bytes divided by the lower bound; 1 is optimal")
    double ratio;

    /** Whether a recording collects these events. */
    static boolean isRecorded() {
        return PROBE.isEnabled();
    }
}
