package io.devicearena.cli.replay;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A value that a replay wrote or verified; loaded only where the module {@code jdk.jfr} is. */
@Name("io.devicearena.ReplayStep")
@Label("Replay Step")
@Description("The command run wrote a value at the step of its op, or verified it after its last use")
@Category("Device Arena")
@StackTrace(false)
final class ReplayStepEvent extends Event {
    @Label("Step")
    long step;

    @Label("Value")
    long value;

    @Label("Operation")
    String operation = "";

    /** Does the work on a value and reports it. */
    static void record(long step, long value, String operation, Runnable work) {
        ReplayStepEvent event = new ReplayStepEvent();
        event.begin();
        work.run();
        if (event.shouldCommit()) {
            event.step = step;
            event.value = value;
            event.operation = operation;
            event.commit();
        }
    }
}
