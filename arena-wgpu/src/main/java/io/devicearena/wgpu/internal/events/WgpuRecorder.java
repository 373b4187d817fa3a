package io.devicearena.wgpu.internal.events;

import org.jspecify.annotations.Nullable;

/**
 * Reports events of this backend to the JDK Flight Recorder. The module {@code jdk.jfr} is optional. Without it, and
 * while no recording collects them, runs and waits allocate nothing and read no clock.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class WgpuRecorder {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private WgpuRecorder() {}

    /** Begins the event of a run; returns null if no recording collects it. */
    public static @Nullable ProgramRunEvent beginRun() {
        if (!PRESENT || !ProgramRunEvent.PROBE.isEnabled()) {
            return null;
        }
        ProgramRunEvent event = new ProgramRunEvent();
        event.begin();
        return event;
    }

    /** Reports the time of a step. */
    public static void step(String arena, String step, String kernel, String written, long nanos) {
        if (PRESENT) {
            KernelStepEvent event = new KernelStepEvent();
            event.arena = arena;
            event.step = step;
            event.kernel = kernel;
            event.written = written;
            event.deviceTime = nanos;
            event.commit();
        }
    }

    /** Begins the event of a submission; returns null if no recording collects it. */
    public static @Nullable SubmissionEvent beginSubmission() {
        if (!PRESENT || !SubmissionEvent.PROBE.isEnabled()) {
            return null;
        }
        SubmissionEvent event = new SubmissionEvent();
        event.begin();
        return event;
    }

    /** Ends the event of a submission. */
    public static void endSubmission(SubmissionEvent event, String device, long number) {
        event.device = device;
        event.number = number;
        event.commit();
    }

    /** Begins the event of a wait for staging; returns null if no recording collects it. */
    public static @Nullable StagingWaitEvent beginStagingWait() {
        if (!PRESENT || !StagingWaitEvent.PROBE.isEnabled()) {
            return null;
        }
        StagingWaitEvent event = new StagingWaitEvent();
        event.begin();
        return event;
    }

    /** Ends the event of a wait for staging. */
    public static void endStagingWait(StagingWaitEvent event, String device, long stagingBytes) {
        event.device = device;
        event.stagingBytes = stagingBytes;
        event.commit(); // which also compares with the threshold
    }

    /** Reports that a device was found lost. */
    public static void deviceLost(String device, String reason) {
        if (PRESENT) {
            DeviceLostEvent event = new DeviceLostEvent();
            event.device = device;
            event.reason = reason;
            event.commit();
        }
    }
}
