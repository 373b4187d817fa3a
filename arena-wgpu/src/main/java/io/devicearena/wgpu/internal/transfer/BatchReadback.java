package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DType;
import io.devicearena.DeviceException;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.events.ProgramRunEvent;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.transfer.PreparedSubmissions.Submission;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads several ranges of an arena together: one submission and one wait for any number of ranges.
 *
 * <p>Threads: safe for any thread.
 */
public final class BatchReadback implements AutoCloseable {
    private final TransferPools pools;
    private final ArenaBuffers buffers;
    private final PreparedSubmissions prepared;

    /** Makes the reader of the batches of one arena. */
    public BatchReadback(ArenaBuffers buffers) {
        this.pools = buffers.pools;
        this.buffers = buffers;
        this.prepared = new PreparedSubmissions(pools.device());
    }

    /** Makes the reads of a batch and waits for them. */
    public void read(List<Span> spans) {
        read(List.of(), CommandSource.NONE, spans, null);
    }

    /** Submits commands and does not wait for them. */
    public void submit(CommandSource commands) {
        read(List.of(), commands, List.of(), null);
    }

    /**
     * Submits inputs and commands, and makes the reads of a batch, all in one submission. Without reads, it does not
     * wait.
     *
     * @param run receives the time of the wait, or null if no one asks for it
     */
    public void read(List<Span> inputs, CommandSource commands, List<Span> spans, @Nullable ProgramRunEvent run) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.inputs.set(inputs, buffers);
            layOut(transfer, spans);
            if (transfer.layout.copies() == 0) {
                submit(transfer, inputs, commands, null, null);
            } else {
                run(transfer, inputs, commands, spans, null, MemorySegment.NULL, run);
            }
        } finally {
            release(transfer);
        }
    }

    /**
     * Submits commands, waits for them, and copies the first bytes of the staging that their kernels write to. No other
     * thread may use this staging meanwhile.
     *
     * @param run receives the time of the wait, or null if no one asks for it
     */
    public void submitAndCopy(
            CommandSource commands, StagingBuffer written, MemorySegment destination, @Nullable ProgramRunEvent run) {
        TransferContext transfer = pools.acquire();
        try {
            layOut(transfer, List.of()); // nothing is copied on the device
            run(transfer, List.of(), commands, List.of(), written, destination, run);
        } finally {
            release(transfer);
        }
    }

    private void release(TransferContext transfer) {
        transfer.inputs.clear();
        pools.release(transfer);
    }

    /**
     * Submits, waits, and copies what arrived.
     *
     * @param written the staging that kernels of the commands write to and that goes to the destination, or null if the
     *     commands copy the spans to staging of the pool
     */
    private void run(
            TransferContext transfer,
            List<Span> inputs,
            CommandSource commands,
            List<Span> spans,
            @Nullable StagingBuffer written,
            MemorySegment destination,
            @Nullable ProgramRunEvent run) {
        Submission next = prepared.acquire(commands, transfer.layout);
        try {
            StagingBuffer recorded = next == null ? null : next.takeStaging();
            StagingBuffer staging = recorded == null ? staging(transfer, written) : recorded;
            try {
                submit(transfer, inputs, commands, next, staging);
                staging.beginMap(written == null ? transfer.layout.bytes() : Words.up(destination.byteSize()));
                if (next != null) {
                    prepare(transfer, commands, next, written);
                }
                await(staging, run);
                for (int i = 0; i < spans.size(); i++) {
                    land(transfer, spans.get(i), staging.address() + transfer.layout.position(i));
                }
                if (written != null) {
                    transfer.host.set(destination, DType.U8);
                    transfer.host.copyFrom(written.address(), 0, destination.byteSize());
                }
            } catch (RuntimeException | Error e) {
                if (next != null) {
                    next.drop();
                }
                if (written == null) {
                    staging.close();
                } else {
                    written.reset();
                }
                throw e;
            }
            if (written == null) {
                pools.readbacks.release(staging);
            } else {
                written.unmap();
            }
        } finally {
            if (next != null) {
                prepared.release(next);
            }
        }
    }

    private StagingBuffer staging(TransferContext transfer, @Nullable StagingBuffer written) {
        return written == null ? pools.readbacks.acquire(transfer.layout.bytes()) : written;
    }

    private static void await(StagingBuffer staging, @Nullable ProgramRunEvent run) {
        long begin = run == null ? 0 : System.nanoTime();
        staging.awaitMapped();
        if (run != null) {
            run.waitingTime = System.nanoTime() - begin;
        }
    }

    /**
     * Records the next submission while the device works on this one.
     *
     * @param written the staging that kernels of the commands write to, or null if the commands copy to staging of the
     *     pool
     */
    private void prepare(
            TransferContext transfer, CommandSource commands, Submission next, @Nullable StagingBuffer written) {
        try {
            StagingBuffer staging = staging(transfer, written);
            if (written == null) {
                next.staging = staging;
            }
            int jobs = listJobs(transfer, commands, staging);
            next.commands.beginPrepared();
            record(transfer, next.commands, commands, staging, jobs);
            next.commands.endPass();
        } catch (DeviceException e) {
            next.drop(); // the current submission succeeded; the next one records itself and throws then
        }
    }

    /** Frees what is kept for the runs of commands that are not used any more. */
    public void drop(CommandSource commands) {
        prepared.drop(commands);
    }

    /** The number of submissions that are recorded before they are needed. */
    public int prepared() {
        return prepared.size();
    }

    /** Frees what is kept for all runs; none is under way. */
    @Override
    public void close() {
        prepared.close();
    }

    /** Begins the reads of a batch, of the bytes as they are now. */
    public StagedRead begin(List<Span> spans) {
        ArrivingRead read = reader();
        begin(List.of(), CommandSource.NONE, spans, read);
        return read;
    }

    /** Makes what makes the reads of a batch, once or again and again. */
    public ArrivingRead reader() {
        return new ArrivingRead(pools);
    }

    /**
     * Submits inputs and commands, and begins a read as it is after the commands. Nothing is allocated.
     *
     * @param spans what is read
     * @param read has ended, or was never begun
     */
    public void begin(List<Span> inputs, CommandSource commands, List<Span> spans, ArrivingRead read) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.inputs.set(inputs, buffers);
            layOut(transfer, spans);
            StagingBuffer staging = transfer.layout.copies() == 0 ? null : staging(transfer, null);
            try {
                submit(transfer, inputs, commands, null, staging);
                if (staging != null) {
                    staging.beginMap(transfer.layout.bytes());
                }
            } catch (RuntimeException | Error e) {
                if (staging != null) {
                    staging.close();
                }
                throw e;
            }
            read.begin(spans, staging, transfer.layout);
        } finally {
            release(transfer);
        }
    }

    private static void layOut(TransferContext transfer, List<Span> spans) {
        transfer.layout.clear();
        for (int i = 0; i < spans.size(); i++) {
            transfer.layout.add(spans.get(i).offset(), spans.get(i).bytes());
        }
    }

    /** Submits inputs and commands if there are any, and after them the copies to staging. */
    private void submit(
            TransferContext transfer,
            List<Span> inputs,
            CommandSource commands,
            @Nullable Submission next,
            @Nullable StagingBuffer staging) {
        commands.submitting(inputs);
        Commands ready = next != null && next.isReady() ? next.commands : null;
        if (ready != null && transfer.inputs.isEmpty()) {
            ready.submit();
        } else if (!commands.isEmpty() || !transfer.inputs.isEmpty() || transfer.layout.copies() > 0) {
            int jobs = ready == null ? listJobs(transfer, commands, staging) : 0;
            try (Commands recording = transfer.commands.begin()) {
                transfer.inputs.record(recording);
                if (ready == null) {
                    record(transfer, recording, commands, staging, jobs);
                    recording.submit();
                } else {
                    recording.submit(ready);
                }
            }
            transfer.inputs.submitted();
        }
    }

    /** Brings the jobs of the kernel that copies to the device; returns their number, 0 for copies by the device. */
    private int listJobs(TransferContext transfer, CommandSource commands, @Nullable StagingBuffer staging) {
        if (staging == null
                || !pools.gathersOnDevice()
                || !pools.gather.suits(transfer.layout, !commands.isEmpty())
                || buffers.gatherWindow(transfer.layout) < 0) {
            return 0;
        }
        long start = buffers.gathers.start(buffers.gatherWindow(transfer.layout));
        return pools.gather.prepare(staging, transfer.layout, start, transfer.jobs);
    }

    private void record(
            TransferContext transfer,
            Commands recording,
            CommandSource commands,
            @Nullable StagingBuffer staging,
            int jobs) {
        ReadbackLayout layout = transfer.layout;
        commands.record(recording);
        if (staging != null && jobs > 0) {
            pools.gather.record(recording, buffers.gathers.at(buffers.gatherWindow(layout)), staging, jobs);
        } else if (staging != null) {
            for (int i = 0; i < layout.copies(); i++) {
                buffers.arena().copyTo(recording, layout.from(i), staging.buffer(), layout.target(i), layout.length(i));
            }
        }
    }

    /** Copies or casts mapped memory into the memory of a span. */
    static void land(TransferContext transfer, Span span, long address) {
        long units = transfer.host.set(span);
        ParallelCopier.SHARED.copyFrom(transfer.host, address, 0, units);
    }
}
