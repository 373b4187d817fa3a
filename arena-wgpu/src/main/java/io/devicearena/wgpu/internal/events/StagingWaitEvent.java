package io.devicearena.wgpu.internal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A write waited for staging. Threads: one thread at a time. */
@Name("io.devicearena.StagingWait")
@Label("Staging Wait")
@Description("A write waited until the device had read earlier staging: it is made faster than the device takes it")
@Category("Device Arena")
@StackTrace(true)
@Threshold("1 ms")
public final class StagingWaitEvent extends Event {
    /** Reports whether events of this class are recorded; it is never committed. */
    static final StagingWaitEvent PROBE = new StagingWaitEvent();

    @Label("Device")
    String device = "";

    @Label("Staging Bytes")
    @DataAmount
    long stagingBytes;
}
