package io.devicearena.diagnostics.internal.events;

import io.devicearena.spi.observation.ArenaIdentity;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;

/** What all events of an arena say about it. Threads: one thread at a time. */
abstract class ArenaEvent extends Event {
    @Label("Arena")
    String arena = "";

    @Label("Provider")
    String provider = "";

    @Label("Device")
    String device = "";

    @Label("Arena Bytes")
    @DataAmount
    long arenaBytes;

    @Label("Segments")
    int segments;

    @Label("View")
    @Description("Whether the arena uses the memory of another one")
    boolean view;

    /** Sets what the event says about the arena. */
    final void describe(ArenaIdentity of) {
        arena = of.label();
        provider = of.device().provider();
        device = of.device().name();
        arenaBytes = of.bytes();
        segments = of.segments();
        view = of.view();
    }
}
