package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.Span;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A run of a program with some inputs and reads, recorded as a CUDA graph: one launch, which no other work comes
 * between. The inputs come from a block of its own, and the reads go there.
 *
 * <p>Threads: one thread at a time, from {@link #launch} to the end of the run.
 */
public final class GraphRun {
    private final Transfers transfers;
    private final DeviceContext context;
    private final List<Span> inputs;
    private final List<Span> reads;
    private final long arena;
    private final PinnedBlock block;
    private final long readsBegin;
    private final long executable;

    /**
     * Records a run.
     *
     * @param arena the address of the arena on the device
     * @param shadow the address of its shadow, 0 for none
     * @param steps puts the steps on a stream
     */
    public GraphRun(
            Transfers transfers,
            List<Span> inputs,
            List<Span> reads,
            long arena,
            long shadow,
            F16Mirrors mirrors,
            LongConsumer steps) {
        this.transfers = transfers;
        this.context = transfers.context();
        this.inputs = inputs;
        this.reads = reads;
        this.arena = arena;
        this.readsBegin = Download.stagingBytes(inputs, 0, inputs.size());
        this.block = transfers.pool.acquire(readsBegin + Download.stagingBytes(reads, 0, reads.size()));
        try {
            this.executable = capture(shadow, mirrors, steps);
        } catch (RuntimeException | Error e) {
            transfers.pool.release(block, false);
            throw e;
        }
    }

    private long capture(long shadow, F16Mirrors mirrors, LongConsumer steps) {
        long _ = context.copyRanges(); // loaded before: a load would be recorded
        long stream = Cuda.CREATE_STREAM.answer(
                Cuda.STREAM_NON_BLOCKING); // of its own: what other threads put on that of the context is not recorded
        long graph = 0;
        try {
            Cuda.BEGIN_CAPTURE.call(stream, Cuda.CAPTURE_MODE_RELAXED);
            try {
                record(stream, shadow, mirrors, steps);
            } catch (RuntimeException | Error e) {
                Cuda.abandonCapture(stream);
                throw e;
            }
            graph = Cuda.endCapture(stream);
            return Cuda.INSTANTIATE.answer(graph, 0);
        } finally {
            Cuda.discard(graph, stream);
        }
    }

    private void record(long stream, long shadow, F16Mirrors mirrors, LongConsumer steps) {
        long position = 0;
        for (Span input : inputs) {
            long to = arena + input.offset();
            long mirror = Transfers.mirrorOf(shadow, mirrors, input);
            position = RangeCopies.place(position, to);
            block.copies.put(block.host + position, to, mirror, input.bytes(), stream);
            position += input.bytes();
        }
        block.copies.launch(stream, false);
        steps.accept(stream);
        transfers.download.begin(reads, 0, reads.size(), arena, block, readsBegin, stream, true);
    }

    /** Whether it is the run of these inputs and reads; the arena keeps the lists of a batch. */
    @SuppressWarnings("ReferenceEquality") // to compare each span of each run would cost more than a new graph
    public boolean isOf(List<Span> writes, List<Span> wanted) {
        return inputs == writes && reads == wanted;
    }

    /** Copies the inputs, and launches the graph. */
    public void launch() {
        long position = 0;
        for (int i = 0; i < inputs.size(); i++) {
            Span input = inputs.get(i);
            position = RangeCopies.place(position, arena + input.offset());
            long elements = block.view.set(input);
            if (input.bytes() > Upload.MAX_BYTES) {
                transfers.large.copy(true, block.host + position, block.view, elements);
            } else {
                block.view.copyTo(block.host + position, 0, elements);
            }
            position += input.bytes();
        }
        block.view.clear();
        context.enter();
        context.noteWork(true);
        block.copies.expect();
        Cuda.LAUNCH_GRAPH.call(executable, context.stream());
    }

    /** Waits for the run, and copies what it read to the caller's memory. */
    public void await() {
        context.enter();
        block.copies.await();
        land();
    }

    /** Sets the event of the run, for {@link #hasArrived}. */
    public void mark() {
        Cuda.RECORD.call(block.event, context.stream());
    }

    /** Whether the device has finished with a run that was marked. */
    public boolean hasArrived() {
        context.enter();
        return Cuda.isDone(block.event);
    }

    /** Copies what a run has read to the caller's memory. */
    public void land() {
        transfers.download.land(reads, 0, reads.size(), arena, block, readsBegin);
        block.view.clear();
    }

    /** Frees the graph, with which the device has finished. */
    public void free() {
        context.enter();
        Cuda.DESTROY_EXECUTABLE.call(executable);
        transfers.pool.release(block, true);
    }
}
