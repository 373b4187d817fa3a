package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
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
    private final Batches batches;
    private final DeviceContext context;
    private final List<GraphRun> idle;
    private final List<Span> inputs;
    private final List<Span> reads;
    private final PinnedBlock block;
    private final long readsBegin;
    private final long executable;

    private GraphRun(
            Batches batches,
            List<GraphRun> idle,
            List<Span> inputs,
            List<Span> reads,
            PinnedBlock block,
            long readsBegin,
            LongConsumer steps) {
        this.batches = batches;
        this.context = batches.transfers.context();
        this.idle = idle;
        this.inputs = inputs;
        this.reads = reads;
        this.block = block;
        this.readsBegin = readsBegin;
        this.executable = capture(steps);
    }

    /**
     * Records a run.
     *
     * @param idle the runs that wait for their next launch; guarded by itself
     * @param steps puts the steps on a stream
     */
    public static GraphRun record(
            Batches batches, List<GraphRun> idle, List<Span> inputs, List<Span> reads, LongConsumer steps) {
        long begin = Batches.stagingBytes(inputs, 0, inputs.size());
        long bytes = begin + Batches.stagingBytes(reads, 0, reads.size());
        return batches.transfers.pool.acquireFor(
                bytes, block -> new GraphRun(batches, idle, inputs, reads, block, begin, steps));
    }

    private long capture(LongConsumer steps) {
        long _ = context.copyRanges(); // loaded before: a load would be recorded
        long stream = Cuda.CREATE_STREAM.answer(
                Cuda.STREAM_NON_BLOCKING); // of its own: what other threads put on that of the context is not recorded
        long graph = 0;
        try {
            Cuda.BEGIN_CAPTURE.call(stream, Cuda.CAPTURE_MODE_RELAXED);
            try {
                record(stream, steps);
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

    private void record(long stream, LongConsumer steps) {
        batches.stage(true, inputs, 0, inputs.size(), block, 0, stream);
        block.copies.launch(stream, false);
        steps.accept(stream);
        batches.stage(false, reads, 0, reads.size(), block, readsBegin, stream);
        block.copies.make(stream, true);
    }

    /** Whether it is the run of these inputs and reads; the arena keeps the lists of a batch. */
    @SuppressWarnings("ReferenceEquality") // to compare each span of each run would cost more than a new graph
    public boolean isOf(List<Span> writes, List<Span> wanted) {
        return inputs == writes && reads == wanted;
    }

    /** Copies the inputs, and launches the graph. */
    public void launch() {
        batches.copy(true, inputs, 0, inputs.size(), block, 0);
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
        batches.copy(false, reads, 0, reads.size(), block, readsBegin);
    }

    /**
     * Ends a launch, so that the graph can run again.
     *
     * @param done whether the device has finished, or an event says when; after a failure it may still be at work
     */
    public void release(boolean done) {
        boolean _ = done || context.settle();
        synchronized (idle) {
            idle.add(this);
        }
    }

    /** Frees the graph, with which the device has finished. */
    public void free() {
        context.enter();
        Cuda.DESTROY_EXECUTABLE.call(executable);
        batches.transfers.pool.release(block, true);
    }
}
