package io.devicearena.diagnostics.internal.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An arena was dropped without close. Threads: one thread at a time. */
@Name("io.devicearena.ArenaDrop")
@Label("Arena Drop")
@Description("A device arena was dropped without close; the garbage collector found it")
@Category("Device Arena")
@StackTrace(false)
final class ArenaDropEvent extends ArenaEvent {
    @Label("Opened At")
    @Description("Where the arena was opened, if the property devicearena.leaks asked for it")
    String openedAt = "";
}
