package io.devicearena.wgpu.internal.compute;

import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.events.ProgramRunEvent;
import io.devicearena.wgpu.internal.events.WaitTime;
import io.devicearena.wgpu.internal.events.WgpuRecorder;
import io.devicearena.wgpu.kernel.StepTime;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the flight recorder collects of one run of a program. There is none, so null, while no recording asks for it.
 *
 * <p>Threads: one thread at a time.
 */
final class RunRecord {
    private final ArenaContext arena;
    private final ProgramRunEvent event;
    private final WaitTime wait = new WaitTime();
    private final long submissions;

    private RunRecord(ArenaContext arena, ProgramRunEvent event) {
        this.arena = arena;
        this.event = event;
        this.submissions = arena.backend().device().queue().submissions();
    }

    /** Begins a record, or returns null if no recording collects runs. */
    static @Nullable RunRecord begin(ArenaContext arena) {
        ProgramRunEvent event = WgpuRecorder.beginRun();
        return event == null ? null : new RunRecord(arena, event);
    }

    /** What measures the wait of the run, or null without a record. */
    static @Nullable WaitTime wait(@Nullable RunRecord run) {
        return run == null ? null : run.wait;
    }

    /** Ends the record of a run that succeeded. */
    static void end(@Nullable RunRecord run, int steps, List<Span> inputs, List<Span> reads) {
        if (run != null) {
            run.end(steps, bytes(inputs), bytes(reads), ProgramRunEvent.UNKNOWN);
        }
    }

    private static long bytes(List<Span> spans) {
        return spans.stream().mapToLong(Span::bytes).sum();
    }

    /** Ends the record of a run that read bytes of a result, or whose steps were timed. */
    static void end(@Nullable RunRecord run, int steps, long readBytes, long deviceNanos) {
        if (run != null) {
            run.end(steps, 0, readBytes, deviceNanos);
        }
    }

    private void end(int steps, long inputBytes, long readBytes, long deviceNanos) {
        event.arena = arena.backend().kernels().label();
        event.device = arena.backend().device().adapter().name();
        event.steps = steps;
        event.inputBytes = inputBytes;
        event.readBytes = readBytes;
        event.submissions = arena.backend().device().queue().submissions() - submissions;
        event.waitingTime = wait.nanos();
        event.deviceTime = deviceNanos;
        event.commit();
    }

    /** Reports the times of steps. */
    static void report(ArenaContext arena, List<StepTime> times) {
        if (WgpuRecorder.recordsSteps()) {
            for (StepTime time : times) {
                WgpuRecorder.step(
                        arena.backend().kernels().label(),
                        time.label(),
                        time.kernel(),
                        time.written().stream().map(arena::describe).collect(Collectors.joining(", ")),
                        time.nanos());
            }
        }
    }
}
