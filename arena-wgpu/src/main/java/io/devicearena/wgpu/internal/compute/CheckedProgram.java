package io.devicearena.wgpu.internal.compute;

import io.devicearena.spi.CheckedStep;
import io.devicearena.spi.ExecutionChecks;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.Commands;
import java.util.List;
import java.util.function.Supplier;

/**
 * A program of an arena with checks: each step is a submission of its own, with the checks before and after it.
 * Threads: safe for any thread.
 */
final class CheckedProgram {
    /** A step as the recorder got it. Threads: immutable. */
    record Part(CheckedStep checked, List<Step> steps) {}

    private final ArenaContext arena;
    private final ExecutionChecks checks;
    private final List<Part> parts;
    private final MirrorEffects.Snapshot mirrors;

    CheckedProgram(ArenaContext arena, ExecutionChecks checks, List<Part> parts, MirrorEffects.Snapshot mirrors) {
        this.arena = arena;
        this.checks = checks;
        this.parts = List.copyOf(parts);
        this.mirrors = mirrors;
    }

    /**
     * Writes inputs, runs the steps and reads, with no step of another thread between them.
     *
     * @return what {@code reads} returned
     */
    <T> T run(Runnable writes, Supplier<T> reads) {
        return checks.together(() -> {
            writes.run();
            mirrors.requireFresh();
            mirrors.apply(arena);
            for (Part part : parts) {
                checks.step(part.checked(), () -> arena.batches().submit(commands -> record(part, commands)));
            }
            mirrors.apply(arena); // again: the checks write to values before their steps
            return reads.get();
        });
    }

    private static void record(Part part, Commands commands) {
        for (Step step : part.steps()) {
            switch (step) {
                case Step.Dispatch dispatch -> dispatch.record(commands);
                case Step.Copy copy -> copy.record(commands);
                case Step.Move move -> move.record(commands);
            }
        }
    }
}
