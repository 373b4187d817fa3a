package io.devicearena.diagnostics.internal.events;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;

/** A write or a read of one range of an arena. Threads: one thread at a time. */
abstract sealed class TransferEvent extends Event permits UploadEvent, ReadbackEvent {
    @Label("Arena")
    String arena = "";

    @Label("Device")
    String device = "";

    @Label("Offset")
    @Description("Where the range begins in the arena")
    @DataAmount
    long offset;

    @Label("Bytes")
    @Description("Bytes of the range, as the arena stores them")
    @DataAmount
    long bytes;

    @Label("Type")
    @Description("Type in the arena of values that are cast from or to f32; empty for raw bytes")
    String type = "";
}
