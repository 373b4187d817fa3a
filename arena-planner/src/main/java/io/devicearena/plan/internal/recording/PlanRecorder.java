package io.devicearena.plan.internal.recording;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Reports plans to the JDK Flight Recorder. The module {@code jdk.jfr} is optional: without it, and while no recording
 * collects the event, nothing is allocated and no clock is read.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class PlanRecorder {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private PlanRecorder() {}

    /** Begins the event of a plan; returns null if no recording collects it. */
    public static @Nullable PlanEvent begin() {
        // to register the event takes as long as a small plan, and no recording has it before the recorder starts
        if (!PRESENT || !FlightRecorder.isInitialized() || !PlanEvent.isRecorded()) {
            return null;
        }
        PlanEvent event = new PlanEvent();
        event.begin();
        return event;
    }

    /**
     * Ends the event of a plan that was made.
     *
     * @param strategy the name of the strategy
     * @param buffers the number of values with a slot
     * @param arenaBytes the size of the plan
     * @param lowerBoundBytes the lower bound of the size
     */
    public static void end(
            @Nullable PlanEvent event, String strategy, int buffers, long arenaBytes, long lowerBoundBytes) {
        if (event != null) {
            event.strategy = strategy;
            event.buffers = buffers;
            event.arenaBytes = arenaBytes;
            event.lowerBoundBytes = lowerBoundBytes;
            event.ratio = lowerBoundBytes == 0 ? 1 : arenaBytes / (double) lowerBoundBytes;
            event.commit();
        }
    }
}
