package io.devicearena.wgpu.internal.compute;

import io.devicearena.DeferredRead;
import io.devicearena.ReadBatch;
import io.devicearena.WriteBatch;
import io.devicearena.spi.CallerMemory;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuTimestamps;
import io.devicearena.wgpu.internal.transfer.CommandSource;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import io.devicearena.wgpu.kernel.KernelProgram;
import io.devicearena.wgpu.kernel.ResultBuffer;
import io.devicearena.wgpu.kernel.StepTime;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a program. Each run encodes them again, since commands can be submitted once. Threads: safe for any
 * thread.
 */
final class RecordedProgram implements KernelProgram, CommandSource {
    private final ArenaContext arena;
    private final Step[] steps;
    private final MirrorEffects.Snapshot mirrors;
    private final BoundResults results;
    private final int count;
    /** The same steps one by one; null for an arena without checks. */
    private final @Nullable CheckedProgram checked;

    RecordedProgram(
            ArenaContext arena,
            Step[] steps,
            MirrorEffects.Snapshot mirrors,
            BoundResults results,
            int count,
            @Nullable CheckedProgram checked) {
        this.arena = arena;
        this.steps = steps;
        this.mirrors = mirrors;
        this.results = results;
        this.count = count;
        this.checked = checked;
    }

    @Override
    public void record(Commands commands) {
        encode(commands, null);
    }

    /** Encodes the steps; with timestamps, each timed dispatch is a pass of its own. */
    private void encode(Commands commands, @Nullable GpuTimestamps times) {
        int timed = 0;
        for (Step step : steps) {
            switch (step) {
                case Step.Dispatch dispatch -> {
                    if (times != null && dispatch.timed()) {
                        commands.beginPass(times, timed++);
                        dispatch.record(commands);
                        commands.endPass();
                    } else {
                        dispatch.record(commands);
                    }
                }
                case Step.Copy copy -> copy.record(commands);
                case Step.Move move -> move.record(commands);
            }
        }
        if (times != null) {
            commands.resolve(times);
        }
    }

    /** Begins a run; {@link #leave} must follow. */
    private void enter() {
        arena.enter();
        results.lock();
    }

    private void leave() {
        results.unlock();
        arena.leave();
    }

    /** Requires the mirrors that a run reads, and applies its effects; the submission follows. */
    private void applyMirrors() {
        mirrors.requireFresh();
        mirrors.apply(arena);
    }

    @Override
    public void run() {
        enter();
        try {
            if (checked != null) {
                Object _ = checked.run(() -> {}, () -> this);
                return;
            }
            applyMirrors();
            arena.batches().submit(this);
        } finally {
            leave();
        }
    }

    @Override
    public long run(ReadBatch reads) {
        List<ReadBatch.Region> regions = arena.requireReadable(reads, false);
        enter();
        try {
            if (checked != null) {
                return checked.run(() -> {}, () -> arena.arena().readBatch(reads));
            }
            applyMirrors();
            return arena.batches().read(List.of(), this, regions);
        } finally {
            leave();
        }
    }

    @Override
    public long run(WriteBatch writes, ReadBatch reads) {
        List<WriteBatch.Region> inputs = arena.requireWritable(writes);
        List<ReadBatch.Region> regions = arena.requireReadable(reads, false);
        enter();
        try {
            if (checked != null) {
                return checked.run(
                        () -> arena.arena().writeBatch(writes),
                        () -> arena.arena().readBatch(reads));
            }
            boolean small = arena.batches().areSmall(inputs);
            long stamp = small ? arena.inputs().readLock() : arena.inputs().writeLock();
            try {
                return arena.batches().read(beginInputs(writes, small), this, regions);
            } finally {
                arena.inputs().unlock(stamp);
            }
        } finally {
            leave();
        }
    }

    @Override
    public DeferredRead begin(WriteBatch writes, ReadBatch reads) {
        List<WriteBatch.Region> inputs = arena.requireWritable(writes);
        List<ReadBatch.Region> regions = arena.requireReadable(reads, true);
        enter();
        try {
            if (checked != null) {
                return checked.run(
                        () -> arena.arena().writeBatch(writes),
                        () -> arena.arena().beginRead(reads));
            }
            boolean small = arena.batches().areSmall(inputs);
            long stamp = small ? arena.inputs().readLock() : arena.inputs().writeLock();
            try {
                return arena.batches()
                        .begin(beginInputs(writes, small), this, regions, arena.arena(), arena.pendingReads());
            } finally {
                arena.inputs().unlock(stamp);
            }
        } finally {
            leave();
        }
    }

    /** Writes large inputs; returns those that go with the submission. */
    private List<WriteBatch.Region> beginInputs(WriteBatch writes, boolean small) {
        mirrors.requireFreshAfter(arena, writes.regions());
        if (small) {
            arena.noteInputs(writes.regions());
        } else {
            arena.arena().writeBatch(writes);
        }
        mirrors.apply(arena);
        return small ? writes.regions() : List.of();
    }

    @Override
    public void run(ResultBuffer result, MemorySegment destination) {
        Objects.requireNonNull(result, "result");
        long length = Objects.requireNonNull(destination, "destination").byteSize();
        CallerMemory.requireWritable("destination", destination);
        CallerMemory.requireAccess("destination", destination);
        if (!(result instanceof HostResult host) || !results.contains(host)) {
            throw new IllegalArgumentException(
                    "result: expected a buffer that a dispatch of this program is bound to, got another one;"
                            + " bind it when the program is recorded");
        }
        if (length < 1 || length > result.bytes()) {
            throw new IllegalArgumentException(
                    "destination: expected 1 to " + result.bytes() + " bytes, the result's size, got " + length);
        }
        enter();
        try {
            if (checked != null) {
                Object _ = checked.run(() -> {}, () -> this);
                arena.batches().submitAndCopy(CommandSource.NONE, host.staging(), destination);
                return;
            }
            applyMirrors();
            arena.batches().submitAndCopy(this, host.staging(), destination);
        } finally {
            leave();
        }
    }

    @Override
    public DeferredRead begin(ReadBatch reads) {
        List<ReadBatch.Region> regions = arena.requireReadable(reads, true);
        enter();
        try {
            if (checked != null) {
                return checked.run(() -> {}, () -> arena.arena().beginRead(reads));
            }
            applyMirrors();
            return arena.batches().begin(List.of(), this, regions, arena.arena(), arena.pendingReads());
        } finally {
            leave();
        }
    }

    @Override
    public List<StepTime> time() {
        enter();
        try {
            List<Step.Dispatch> timed = timed();
            mirrors.requireFresh();
            try (GpuTimestamps times = GpuTimestamps.create(arena.device(), timed.size())) {
                mirrors.apply(arena);
                arena.batches().submit(commands -> encode(commands, times));
                long[] ticks = new long[2 * timed.size()];
                arena.readback().readBytes(SegmentedBuffer.of(times.results()), 0, MemorySegment.ofArray(ticks));
                List<StepTime> measured = new ArrayList<>();
                for (int i = 0; i < timed.size(); i++) {
                    double nanos = (ticks[2 * i + 1] - ticks[2 * i]) * (double) times.nanosPerTick();
                    measured.add(new StepTime(timed.get(i).label(), timed.get(i).kernel(), Math.round(nanos)));
                }
                return measured;
            }
        } finally {
            leave();
        }
    }

    private List<Step.Dispatch> timed() {
        if (checked != null) {
            throw new UnsupportedOperationException(
                    "times: not of an arena with checks, which runs each step alone; open it without withChecks");
        }
        if (!arena.device().adapter().hasTimestamps()) {
            throw new UnsupportedOperationException("timestamps: not a feature of device '"
                    + arena.device().adapter().name() + "'; ask hasTimestamps first");
        }
        List<Step.Dispatch> timed = new ArrayList<>();
        for (Step step : steps) {
            if (step instanceof Step.Dispatch dispatch && dispatch.timed()) {
                timed.add(dispatch);
            }
        }
        if (timed.isEmpty() || timed.size() > GpuTimestamps.MAX_PASSES) {
            throw new IllegalArgumentException(
                    "program: expected 1 to " + GpuTimestamps.MAX_PASSES + " dispatches to time, got " + timed.size());
        }
        return timed;
    }

    @Override
    public int steps() {
        return count;
    }
}
