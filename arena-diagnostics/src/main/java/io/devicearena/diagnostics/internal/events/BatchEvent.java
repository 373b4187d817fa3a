package io.devicearena.diagnostics.internal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A batch of writes or of reads. Threads: one thread at a time. */
@Name("io.devicearena.Batch")
@Label("Batch")
@Description("Several ranges of an arena were written or read together")
@Category("Device Arena")
@StackTrace(false)
@Threshold("1 ms")
final class BatchEvent extends Event {
    /** Reports whether events of this class are recorded; it is never committed. */
    private static final BatchEvent PROBE = new BatchEvent();

    @Label("Arena")
    String arena = "";

    @Label("Device")
    String device = "";

    @Label("Operation")
    @Description("readBatch, beginRead, writeBatch or beginWrite; a begin… returns before the transfer is done")
    String operation = "";

    @Label("Regions")
    int regions;

    @Label("Bytes")
    @Description("Bytes of all regions, as the arena stores them")
    @DataAmount
    long bytes;

    /** Whether a recording collects these events. */
    static boolean isRecorded() {
        return PROBE.isEnabled();
    }
}
