package io.devicearena.wgpu.internal.compute;

import io.devicearena.kernel.StepTime;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.events.ProgramRunEvent;
import io.devicearena.wgpu.internal.events.WgpuRecorder;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the flight recorder collects of the runs of programs: an event for each, or null while no recording asks for it.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
final class RunRecord {
    private RunRecord() {}

    /** Begins the event of a run. */
    static @Nullable ProgramRunEvent begin(ArenaContext arena) {
        ProgramRunEvent event = WgpuRecorder.beginRun();
        if (event != null) {
            event.submissions = arena.backend().device().queue().submissions();
        }
        return event;
    }

    /** Ends the event of a run that succeeded. */
    static void end(
            @Nullable ProgramRunEvent event, ArenaContext arena, int steps, List<Span> inputs, List<Span> reads) {
        if (event != null) {
            event.inputBytes = bytes(inputs);
            end(event, arena, steps, bytes(reads), ProgramRunEvent.UNKNOWN);
        }
    }

    private static long bytes(List<Span> spans) {
        return spans.stream().mapToLong(Span::bytes).sum();
    }

    /** Ends the event of a run that read bytes of a result, or whose steps were timed. */
    static void end(@Nullable ProgramRunEvent event, ArenaContext arena, int steps, long readBytes, long deviceNanos) {
        if (event != null) {
            event.arena = arena.backend().kernels().label();
            event.device = arena.backend().device().adapter().name();
            event.steps = steps;
            event.readBytes = readBytes;
            event.submissions = arena.backend().device().queue().submissions() - event.submissions;
            event.deviceTime = deviceNanos;
            event.commit();
        }
    }

    /** Reports the times of steps. */
    static void report(ArenaContext arena, List<StepTime> times) {
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
