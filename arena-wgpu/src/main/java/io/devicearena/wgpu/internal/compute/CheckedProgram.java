package io.devicearena.wgpu.internal.compute;

import io.devicearena.Batch;
import io.devicearena.Transfer;
import io.devicearena.spi.observation.CheckedStep;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.transfer.CommandSource;
import io.devicearena.wgpu.kernel.KernelProgram;
import io.devicearena.wgpu.kernel.RepeatedRun;
import io.devicearena.wgpu.kernel.ResultBuffer;
import io.devicearena.wgpu.kernel.StepTime;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;

/**
 * A program of an arena with checks: each step is a submission of its own, with the checks before and after it.
 * Threads: safe for any thread.
 */
final class CheckedProgram implements KernelProgram {
    private final ArenaContext arena;
    private final ExecutionChecks checks;
    private final RecordedProgram program;
    private final Step[] steps;
    private final List<Part> parts;
    private final MirrorEffects.Snapshot mirrors;

    /** The steps that one call of the recorder made, from one position to another, or none. Threads: immutable. */
    record Part(CheckedStep checked, int from, int to) {}

    CheckedProgram(
            ArenaContext arena,
            ExecutionChecks checks,
            RecordedProgram program,
            Step[] steps,
            List<Part> parts,
            MirrorEffects.Snapshot mirrors) {
        this.arena = arena;
        this.checks = checks;
        this.program = program;
        this.steps = steps;
        this.parts = List.copyOf(parts);
        this.mirrors = mirrors;
    }

    /** Writes inputs, runs the steps and reads, with no step of another thread between them. */
    private <T> T run(Runnable writes, Supplier<T> reads) {
        program.enter();
        try {
            return checks.together(() -> {
                writes.run();
                mirrors.requireFresh(arena, List.of());
                mirrors.apply(arena);
                for (Part part : parts) {
                    checks.step(part.checked(), () -> submit(part));
                }
                mirrors.apply(arena); // again: the checks write to values before their steps
                return reads.get();
            });
        } finally {
            program.leave();
        }
    }

    private static void writeNothing() {}

    private void submit(Part part) {
        if (part.from() < part.to()) {
            arena.backend().batches().submit(commands -> record(part, commands));
        }
    }

    private void record(Part part, Commands commands) {
        for (int i = part.from(); i < part.to(); i++) {
            switch (steps[i]) {
                case Step.Dispatch dispatch -> dispatch.record(commands);
                case Step.Copy copy -> copy.record(commands);
                case Step.Move move -> move.record(commands);
            }
        }
        commands.group(null);
    }

    @Override
    public void submit() {
        Object _ = run(CheckedProgram::writeNothing, () -> this);
    }

    @Override
    public void submit(Batch writes) {
        arena.open().writes(writes);
        Object _ = run(() -> arena.open().arena().writeBatch(writes), () -> this);
    }

    @Override
    public long run(Batch reads) {
        arena.open().reads(reads, false);
        return run(CheckedProgram::writeNothing, () -> arena.open().arena().readBatch(reads));
    }

    @Override
    public long run(Batch writes, Batch reads) {
        arena.open().writes(writes);
        arena.open().reads(reads, false);
        return run(
                () -> arena.open().arena().writeBatch(writes),
                () -> arena.open().arena().readBatch(reads));
    }

    @Override
    public Transfer begin(Batch reads) {
        arena.open().reads(reads, true);
        return run(CheckedProgram::writeNothing, () -> arena.open().arena().beginRead(reads));
    }

    @Override
    public RepeatedRun repeated(Batch reads) {
        arena.open().reads(reads, true);
        return () -> begin(reads);
    }

    @Override
    public Transfer begin(Batch writes, Batch reads) {
        arena.open().writes(writes);
        arena.open().reads(reads, true);
        return run(
                () -> arena.open().arena().writeBatch(writes),
                () -> arena.open().arena().beginRead(reads));
    }

    @Override
    public void run(ResultBuffer result, MemorySegment destination) {
        HostResult host = program.requireResult(result, destination);
        Object _ = run(CheckedProgram::writeNothing, () -> {
            arena.backend().batches().submitAndCopy(CommandSource.NONE, host.staging(), destination, null);
            return this;
        });
    }

    @Override
    public List<StepTime> time() {
        throw new UnsupportedOperationException(
                "times: not of an arena with checks, which runs each step alone; open it without withChecks");
    }

    @Override
    public int steps() {
        return program.steps();
    }

    @Override
    public void close() {
        program.close();
    }

    @Override
    public String toString() {
        return program.toString();
    }
}
