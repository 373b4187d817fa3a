package io.devicearena.cuda.internal.compute;

import io.devicearena.Batch;
import io.devicearena.Transfer;
import io.devicearena.cuda.internal.arena.CudaBackend;
import io.devicearena.cuda.internal.arena.Uses;
import io.devicearena.cuda.internal.driver.AddressSpace;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.internal.transfer.GraphRun;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.RepeatedRun;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.StepTime;
import io.devicearena.spi.CallerMemory;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.MirrorEffects;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a program. For each pair of inputs and reads they are recorded as a CUDA graph, which is kept for the
 * next run. In an arena with checks the steps run one by one instead.
 *
 * <p>Threads: safe for any thread.
 */
final class RecordedProgram implements KernelProgram {
    /** Runs in flight with one pair of inputs and reads, and pairs that are kept. */
    private static final int MAX_RUNS = 32;

    private static final int MAX_TIMED = 2048;
    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final CudaKernels kernels;
    private final CudaBackend backend;
    private final List<ProgramRecorder.Step> steps;
    private final MirrorEffects effects;
    private final List<Uses> held;
    private final Uses uses;
    private final @Nullable ExecutionChecks checks;
    /** Those that no run uses. */
    private final List<GraphRun> idle = new ArrayList<>();

    RecordedProgram(
            CudaKernels kernels,
            List<ProgramRecorder.Step> steps,
            MirrorEffects effects,
            List<Uses> held,
            @Nullable ExecutionChecks checks) {
        this.kernels = kernels;
        this.backend = kernels.backend;
        this.steps = steps;
        this.effects = effects;
        this.held = held;
        this.checks = checks;
        this.uses = backend.uses(this::free);
    }

    private void free() {
        if (backend.context().settle()) {
            synchronized (idle) {
                while (!idle.isEmpty()) {
                    idle.getLast().free();
                    idle.removeLast();
                }
            }
        }
        held.forEach(Uses::release);
    }

    private void enter() {
        kernels.open.requireOpen();
        kernels.open.memory().enter();
        if (!uses.acquire()) {
            kernels.open.memory().leave();
            throw new IllegalStateException(this + " is closed; record it again, or close it later");
        }
    }

    private void leave() {
        uses.release();
        kernels.open.memory().leave();
    }

    private List<Span> inputs(@Nullable Batch writes) {
        return writes == null ? List.of() : kernels.open.writes(writes);
    }

    /** Takes a graph of these inputs and reads, or records one. */
    private GraphRun acquire(List<Span> inputs, List<Span> reads) {
        synchronized (idle) {
            GraphRun found = find(inputs, reads);
            if (found == null && idle.size() >= MAX_RUNS && backend.context().settle()) {
                found = find(inputs, reads);
                if (found == null) {
                    idle.getFirst().free();
                    idle.removeFirst();
                }
            }
            if (found != null) {
                return found;
            }
        }
        return record(inputs, reads, null);
    }

    /** Records a graph; each dispatch is between two events of it, if there is a list for them. */
    private GraphRun record(List<Span> inputs, List<Span> reads, @Nullable List<Long> events) {
        return GraphRun.record(
                backend.batches(),
                idle,
                inputs,
                reads,
                stream -> steps.forEach(step -> {
                    List<Long> marks = step.untimed() == null ? null : events;
                    mark(marks, stream);
                    step.enqueue().accept(stream);
                    mark(marks, stream);
                }));
    }

    private static void mark(@Nullable List<Long> events, long stream) {
        if (events != null) {
            long event = Cuda.CREATE_EVENT.answer(0);
            events.add(event);
            Cuda.RECORD_WITH_FLAGS.call(event, stream, Cuda.EVENT_RECORD_EXTERNAL);
        }
    }

    /** Takes one that the device has finished with, unless it has no memory of its own. */
    private @Nullable GraphRun find(List<Span> inputs, List<Span> reads) {
        boolean bare = inputs.isEmpty() && reads.isEmpty();
        for (int i = 0; i < idle.size(); i++) {
            GraphRun run = idle.get(i);
            if (run.isOf(inputs, reads) && (bare || run.hasArrived())) {
                return idle.remove(i);
            }
        }
        return null;
    }

    @Override
    public void submit() {
        long _ = execute(null, null);
    }

    @Override
    public void submit(Batch writes) {
        long _ = execute(writes, null);
    }

    @Override
    public long run(Batch reads) {
        return execute(null, reads);
    }

    @Override
    public long run(Batch writes, Batch reads) {
        return execute(writes, reads);
    }

    private long execute(@Nullable Batch writes, @Nullable Batch reads) {
        List<Span> inputs = inputs(writes);
        List<Span> spans = reads == null ? List.of() : kernels.open.reads(reads, false);
        enter();
        try {
            if (checks != null) {
                return check(
                        checks,
                        writes,
                        () -> reads == null ? 0 : kernels.open.arena().readBatch(reads));
            }
            boolean done = spans.isEmpty();
            GraphRun run = launch(inputs, spans, done);
            try {
                if (!done) {
                    run.await();
                    done = true;
                }
            } finally {
                run.release(done);
            }
            return Span.elements(spans);
        } finally {
            leave();
        }
    }

    /** Launches a graph; a marked one can be asked whether it has arrived. */
    private GraphRun launch(List<Span> inputs, List<Span> reads, boolean isMarked) {
        effects.requireFresh(inputs);
        GraphRun run = acquire(inputs, reads);
        try {
            run.launch();
            effects.apply(inputs);
            if (isMarked) {
                run.mark();
            }
            return run;
        } catch (RuntimeException | Error e) {
            run.release(false);
            throw e;
        }
    }

    @Override
    public Transfer begin(Batch reads) {
        return begin(null, reads, new Arriving(), null);
    }

    @Override
    public Transfer begin(Batch writes, Batch reads) {
        return begin(writes, reads, new Arriving(), null);
    }

    /** Begins a read for the first time, or again with the handle of the one that has ended. */
    private Transfer begin(@Nullable Batch writes, Batch reads, Arriving arriving, @Nullable Transfer ended) {
        List<Span> inputs = inputs(writes);
        List<Span> spans = kernels.open.reads(reads, true);
        enter();
        try {
            if (checks != null) {
                return check(checks, writes, () -> kernels.open.arena().beginRead(reads));
            }
            arriving.run = launch(inputs, spans, true);
            GuardedMemory memory = kernels.open.memory();
            if (ended == null) {
                return memory.begin(arriving, Span.elements(spans), kernels.open.arena());
            }
            memory.beginAgain(ended, Span.elements(spans), kernels.open.arena());
            return ended;
        } finally {
            leave();
        }
    }

    /** The read of a run that was begun; it does not refer to the arena. Threads: as {@link StagedRead} says. */
    private static final class Arriving implements StagedRead {
        private @Nullable GraphRun run;

        private GraphRun run() {
            return Objects.requireNonNull(run);
        }

        @Override
        public boolean hasArrived() {
            return run().hasArrived();
        }

        @Override
        public void land() {
            run().land();
        }

        @Override
        public void release(boolean landed) {
            run().release(landed);
        }
    }

    /** Writes inputs, runs the steps one by one and reads, with no step of another thread between them. */
    private <T> T check(ExecutionChecks each, @Nullable Batch writes, Supplier<T> reads) {
        return each.together(() -> {
            if (writes != null) {
                kernels.open.arena().writeBatch(writes);
            }
            effects.requireFresh(List.of());
            effects.apply(List.of());
            long stream = backend.context().stream();
            for (ProgramRecorder.Step step : steps) {
                each.step(step.checked(), () -> {
                    backend.context().enter();
                    step.enqueue().accept(stream);
                });
            }
            effects.apply(List.of()); // again: the checks write to values before their steps
            return reads.get();
        });
    }

    @Override
    public void run(ResultBuffer result, MemorySegment destination) {
        long length = Objects.requireNonNull(destination, "destination").byteSize();
        CallerMemory.requireWritable("destination", destination);
        CallerMemory.requireAccess("destination", destination);
        if (!(Objects.requireNonNull(result, "result") instanceof DeviceBuffer host)
                || !host.isResult
                || !held.contains(host.uses)) {
            throw new IllegalArgumentException(
                    "result: expected a buffer that a dispatch of this program is bound to, got another one;"
                            + " bind it when the program is recorded");
        }
        if (length < 1 || length > host.bytes()) {
            throw new IllegalArgumentException(
                    "destination: expected 1 to " + host.bytes() + " bytes, the result's size, got " + length);
        }
        host.requireOpen();
        synchronized (host) { // programs with this buffer run and read one after the other
            submit();
            backend.context().flush();
            MemorySegment.copy(AddressSpace.ALL, host.address(), destination, 0, length);
        }
    }

    @Override
    public RepeatedRun repeated(Batch reads) {
        List<Span> _ = kernels.open.reads(reads, true);
        return new Repeated(reads);
    }

    /** Runs with the same reads, one after the other. Threads: safe for any thread. */
    private final class Repeated implements RepeatedRun {
        private final Batch reads;
        private final Arriving arriving = new Arriving();
        private @Nullable Transfer handle;

        Repeated(Batch reads) {
            this.reads = reads;
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
        List<Long> events = new ArrayList<>();
        try {
            List<StepTime> untimed = steps.stream()
                    .flatMap(step -> Stream.ofNullable(step.untimed()))
                    .toList();
            if (untimed.isEmpty() || untimed.size() > MAX_TIMED) {
                throw new IllegalArgumentException(
                        "program: expected 1 to " + MAX_TIMED + " dispatches to time, got " + untimed.size());
            }
            effects.requireFresh(List.of());
            effects.apply(List.of());
            backend.context().enter();
            run(record(new ArrayList<>(), List.of(), events)); // no other run has this list
            List<StepTime> times = new ArrayList<>();
            for (StepTime each : untimed) {
                int first = 2 * times.size();
                int bits = (int) Cuda.ELAPSED.answer(events.get(first), events.get(first + 1));
                double nanos = NANOS_PER_MILLISECOND * Float.intBitsToFloat(bits);
                times.add(new StepTime(each.label(), each.kernel(), each.written(), Math.round(nanos)));
            }
            return times;
        } finally {
            events.forEach(Cuda.DESTROY_EVENT::call);
            leave();
        }
    }

    /** Runs a graph once, waits and frees it; one that cannot be freed now is freed with the program. */
    private void run(GraphRun once) {
        try {
            once.launch();
            once.await();
        } finally {
            boolean _ = backend.context().settle();
            synchronized (idle) {
                idle.add(once);
                once.free();
                idle.removeLast();
            }
        }
    }

    @Override
    public int steps() {
        return steps.size();
    }

    @Override
    public void close() {
        uses.close();
    }

    /** The number of the steps, and the name of the first. */
    @Override
    public String toString() {
        return "program of " + steps.size() + (steps.size() == 1 ? " step" : " steps")
                + (steps.isEmpty() ? "" : " from '" + steps.getFirst().label() + "'");
    }
}
