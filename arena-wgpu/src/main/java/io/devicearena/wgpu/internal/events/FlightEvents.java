package io.devicearena.wgpu.internal.events;

import io.devicearena.ReadBatch;
import io.devicearena.WriteBatch;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.WaitTime;
import io.devicearena.wgpu.kernel.StepTime;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The events that programs report to the JDK Flight Recorder. The module {@code jdk.jfr} is optional: without it,
 * and while no recording is on, nothing is allocated and no clock is read.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class FlightEvents {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents() {}

    /** Begins the event of a run; returns null if no recording collects it. */
    public static @Nullable ProgramRunEvent beginRun() {
        if (!PRESENT || !ProgramRunEvent.isRecorded()) {
            return null;
        }
        ProgramRunEvent event = new ProgramRunEvent();
        event.begin();
        return event;
    }

    /** The clock of the waits of a run, or null if they are not measured. */
    public static @Nullable WaitTime wait(@Nullable ProgramRunEvent event) {
        return event == null ? null : event.wait;
    }

    /** Ends the event of a run that succeeded. */
    public static void endRun(
            @Nullable ProgramRunEvent event, ArenaContext arena, int steps, long inputBytes, long readBytes) {
        if (event != null) {
            event.arena = arena.kernels().label();
            event.steps = steps;
            event.inputBytes = inputBytes;
            event.readBytes = readBytes;
            event.waitingTime = event.wait.nanos();
            event.commit();
        }
    }

    /** Ends the event of a run with inputs and reads that succeeded. */
    public static void endRun(
            @Nullable ProgramRunEvent event,
            ArenaContext arena,
            int steps,
            List<WriteBatch.Region> inputs,
            List<ReadBatch.Region> reads) {
        if (event != null) {
            endRun(
                    event,
                    arena,
                    steps,
                    arena.batches().inputBytes(inputs),
                    arena.batches().readBytes(reads));
        }
    }

    /** Reports the time of a step. */
    public static void step(ArenaContext arena, StepTime time) {
        if (PRESENT && KernelStepEvent.isRecorded()) {
            KernelStepEvent event = new KernelStepEvent();
            event.arena = arena.kernels().label();
            event.step = time.label();
            event.kernel = time.kernel();
            event.written = time.written().stream().map(arena::describe).collect(Collectors.joining(", "));
            event.deviceTime = time.nanos();
            event.commit();
        }
    }
}
