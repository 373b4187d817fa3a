package io.devicearena.wgpu.internal.compute;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.Transfer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.RepeatedRun;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.StepTime;
import io.devicearena.spi.CallerMemory;
import io.devicearena.spi.memory.MirrorEffects;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.events.ProgramRunEvent;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuTimestamps;
import io.devicearena.wgpu.internal.transfer.ArrivingRead;
import io.devicearena.wgpu.internal.transfer.CommandSource;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a program. Each run encodes them again, since commands can be submitted once. For an arena with checks,
 * each step is a submission of its own, with the checks before and after it.
 *
 * <p>Threads: safe for any thread.
 */
final class RecordedProgram implements KernelProgram, CommandSource {
    private final ArenaContext arena;
    private final Step[] steps;
    private final MirrorEffects mirrors;
    private final List<HostResult> results;
    private final Holds holds;
    private final ArenaUses uses;
    private final int count;
    /** The checks of each run, or null. */
    private final @Nullable CheckedParts checks;

    /** Takes over what a recorder collected, which records nothing more. */
    RecordedProgram(ProgramRecorder recorded) {
        this.arena = recorded.arena;
        this.steps = recorded.steps.toArray(Step[]::new);
        this.mirrors = recorded.mirrors.copy();
        this.results = HostResult.among(recorded.bound);
        this.holds = recorded.holds;
        this.count = recorded.count;
        this.checks = recorded.checked;
        this.uses = new ArenaUses(arena, this + " is closed; record it again, or close it later", this::free);
    }

    @Override
    public void record(Commands commands) {
        encode(commands, 0, steps.length, null);
    }

    /** Encodes some of the steps; with timestamps, each dispatch is a pass of its own. */
    private void encode(Commands commands, int from, int to, @Nullable GpuTimestamps times) {
        int timed = 0;
        for (int i = from; i < to; i++) {
            if (times != null && steps[i] instanceof Step.Dispatch dispatch) {
                commands.beginPass(times, timed++);
                dispatch.record(commands);
                commands.endPass();
            } else {
                steps[i].record(commands);
            }
        }
        commands.group(null);
        if (times != null) {
            commands.resolve(times);
        }
    }

    /** Begins a run; {@link #leave} must follow. */
    private void enter() {
        uses.enter();
        HostResult.lock(results);
    }

    /** Ends a run. */
    private void leave() {
        HostResult.unlock(results);
        uses.leave();
    }

    /** Frees what only this program used; no run is under way. */
    private void free() {
        arena.backend().batches().drop(this);
        holds.release();
    }

    @Override
    public void close() {
        uses.close();
    }

    /** The number of the steps, and the name of the first dispatch. */
    @Override
    public String toString() {
        String name = "program of " + count + (count == 1 ? " step" : " steps");
        List<Step.Dispatch> all = dispatches();
        return all.isEmpty() ? name : name + " from '" + all.getFirst().label() + "'";
    }

    private List<Step.Dispatch> dispatches() {
        return Stream.of(steps)
                .filter(Step.Dispatch.class::isInstance)
                .map(Step.Dispatch.class::cast)
                .toList();
    }

    /** Applies the effects of inputs and steps on mirrors. */
    @Override
    public void submitting(List<Span> inputs) {
        mirrors.apply(inputs);
    }

    @Override
    public void submit() {
        execute(null, null);
    }

    @Override
    public void submit(Batch writes) {
        execute(writes, null);
    }

    @Override
    public long run(Batch reads) {
        return execute(null, reads);
    }

    @Override
    public long run(Batch writes, Batch reads) {
        return execute(writes, reads);
    }

    /** Runs, and waits if there is something to read; returns the elements read. */
    private long execute(@Nullable Batch writes, @Nullable Batch reads) {
        List<Span> inputs = inputs(writes);
        List<Span> spans = reads == null ? List.of() : arena.open().reads(reads, false);
        enter();
        try {
            if (checks != null) {
                return check(
                        checks,
                        writes,
                        () -> reads == null ? 0 : arena.open().arena().readBatch(reads));
            }
            mirrors.requireFresh(inputs);
            ProgramRunEvent run = RunRecord.begin(arena);
            arena.backend().batches().read(inputs, this, spans, run);
            RunRecord.end(run, arena, count, inputs, spans);
            return Span.elements(spans);
        } finally {
            leave();
        }
    }

    private List<Span> inputs(@Nullable Batch writes) {
        return writes == null ? List.of() : arena.open().writes(writes);
    }

    /** Writes inputs, runs the steps and reads, with no step of another thread between them. */
    private <T> T check(CheckedParts each, @Nullable Batch writes, Supplier<T> reads) {
        return each.checks.together(() -> {
            if (writes != null) {
                arena.open().arena().writeBatch(writes);
            }
            mirrors.requireFresh(List.of());
            mirrors.apply(List.of());
            for (CheckedParts.Part part : each.parts) {
                each.checks.step(part.checked(), () -> submit(part));
            }
            mirrors.apply(List.of()); // again: the checks write to values before their steps
            return reads.get();
        });
    }

    private void submit(CheckedParts.Part part) {
        if (part.from() < part.to()) {
            arena.backend().batches().submit(commands -> encode(commands, part.from(), part.to(), null));
        }
    }

    @Override
    public Transfer begin(Batch reads) {
        return begin(null, reads, arena.backend().batches().reader(), null);
    }

    @Override
    public Transfer begin(Batch writes, Batch reads) {
        return begin(writes, reads, arena.backend().batches().reader(), null);
    }

    /** Begins a read for the first time, or again with the handle of the one that has ended. */
    private Transfer begin(@Nullable Batch writes, Batch reads, ArrivingRead arriving, @Nullable Transfer ended) {
        List<Span> inputs = inputs(writes);
        List<Span> spans = arena.open().reads(reads, true);
        enter();
        try {
            if (checks != null) {
                return check(checks, writes, () -> arena.open().arena().beginRead(reads));
            }
            mirrors.requireFresh(inputs);
            ProgramRunEvent run = RunRecord.begin(arena);
            arena.backend().batches().begin(inputs, this, spans, arriving);
            Transfer read = handle(arriving, Span.elements(spans), ended);
            RunRecord.end(run, arena, count, inputs, spans);
            return read;
        } finally {
            leave();
        }
    }

    private Transfer handle(ArrivingRead begun, long elements, @Nullable Transfer ended) {
        if (ended == null) {
            return arena.open().memory().begin(begun, elements, arena.open().arena());
        }
        arena.open().memory().beginAgain(ended, elements, arena.open().arena());
        return ended;
    }

    /** Checks a result buffer and where it is read to. */
    private HostResult requireResult(ResultBuffer result, MemorySegment destination) {
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
        host.uses.requireOpen();
        return host;
    }

    @Override
    public void run(ResultBuffer result, MemorySegment destination) {
        HostResult host = requireResult(result, destination);
        long length = destination.byteSize();
        enter();
        try {
            if (checks != null) {
                Object _ = check(checks, null, () -> {
                    arena.backend().batches().submitAndCopy(CommandSource.NONE, host.staging, destination, null);
                    return this;
                });
                return;
            }
            mirrors.requireFresh(List.of());
            ProgramRunEvent run = RunRecord.begin(arena);
            arena.backend().batches().submitAndCopy(this, host.staging, destination, run);
            RunRecord.end(run, arena, count, length, ProgramRunEvent.UNKNOWN);
        } finally {
            leave();
        }
    }

    @Override
    public RepeatedRun repeated(Batch reads) {
        return new Repeated(reads);
    }

    /** Runs with the same reads. */
    private final class Repeated implements RepeatedRun {
        private final Batch reads;
        private final ArrivingRead arriving;
        private @Nullable Transfer handle;

        Repeated(Batch reads) {
            this.reads = reads;
            arena.open().reads(reads, true);
            this.arriving = arena.backend().batches().reader();
        }

        @Override
        public synchronized Transfer begin() {
            Transfer last = handle;
            if (last != null && last.state() == Transfer.State.PENDING) {
                throw new IllegalStateException("the run before of the " + RecordedProgram.this
                        + " is pending; await or cancel its read before the next");
            }
            handle = RecordedProgram.this.begin(null, reads, arriving, last);
            return handle;
        }
    }

    @Override
    public List<StepTime> time() {
        if (checks != null) {
            throw new UnsupportedOperationException(
                    "times: not of an arena with checks, which runs each step alone; open it without withChecks");
        }
        enter();
        try {
            List<Step.Dispatch> timed = timed();
            mirrors.requireFresh(List.of());
            ProgramRunEvent run = RunRecord.begin(arena);
            GpuDevice device = arena.backend().device();
            double nanosPerTick = device.limits().timestampPeriodNanos().orElseThrow();
            try (GpuTimestamps times = GpuTimestamps.create(device, timed.size())) {
                mirrors.apply(List.of());
                arena.backend().batches().submit(commands -> encode(commands, 0, steps.length, times));
                long[] ticks = new long[2 * timed.size()];
                MemorySegment read = MemorySegment.ofArray(ticks);
                Readback readback = arena.backend().readback();
                readback.read(SegmentedBuffer.of(times.results()), 0, DType.U8, read, read.byteSize());
                List<StepTime> measured = new ArrayList<>();
                for (int i = 0; i < timed.size(); i++) {
                    double nanos = (ticks[2 * i + 1] - ticks[2 * i]) * nanosPerTick;
                    Step.Dispatch step = timed.get(i);
                    measured.add(new StepTime(step.label(), step.kernel(), step.written(), Math.round(nanos)));
                }
                RunRecord.end(
                        run,
                        arena,
                        count,
                        0,
                        measured.stream().mapToLong(StepTime::nanos).sum());
                RunRecord.report(arena, measured);
                return measured;
            }
        } finally {
            leave();
        }
    }

    private List<Step.Dispatch> timed() {
        if (!arena.backend().device().limits().hasTimestamps()) {
            throw new UnsupportedOperationException("timestamps: not a feature of device '"
                    + arena.backend().device().adapter().name() + "'; ask KernelFacts.hasTimestamps first");
        }
        List<Step.Dispatch> timed = dispatches();
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
