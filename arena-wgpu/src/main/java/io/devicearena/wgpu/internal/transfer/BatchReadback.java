package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DeviceException;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.events.WaitTime;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads several ranges of an arena together: one submission and one wait for any number of ranges.
 *
 * <p>Threads: safe for any thread.
 */
public final class BatchReadback {
    private final TransferPools pools;
    private final ArenaBuffers buffers;
    private final PreparedSubmissions prepared;
    private final Mirrors mirrors;

    /**
     * Makes the reader of the batches of one arena.
     *
     * @param prepared keeps submissions that are recorded before they are needed
     */
    public BatchReadback(TransferPools pools, ArenaBuffers buffers, PreparedSubmissions prepared, Mirrors mirrors) {
        this.pools = pools;
        this.buffers = buffers;
        this.prepared = prepared;
        this.mirrors = mirrors;
    }

    /** Makes the reads of a batch and waits for them. */
    public void read(List<Span> spans) {
        read(List.of(), CommandSource.NONE, spans, null);
    }

    /** Submits commands and does not wait for them. */
    public void submit(CommandSource commands) {
        submit(List.of(), commands);
    }

    /** Submits inputs and commands in one submission, and does not wait for them. */
    public void submit(List<Span> inputs, CommandSource commands) {
        TransferContext transfer = pools.acquire();
        try {
            setInputs(transfer, inputs);
            submitAlone(transfer, inputs, commands);
        } finally {
            release(transfer);
        }
    }

    /** Small inputs are written with the submission; others wait in staging of their own. */
    private void setInputs(TransferContext transfer, List<Span> inputs) {
        transfer.inputs.set(inputs, mirrors, buffers);
        if (!transfer.inputs.areSmall()) {
            transfer.inputs.clear();
            transfer.staged.stage(inputs, pools, mirrors, buffers);
        }
    }

    private void release(TransferContext transfer) {
        transfer.inputs.clear();
        transfer.staged.clear();
        pools.release(transfer);
    }

    /**
     * Submits inputs and commands, and makes the reads of a batch, all in one submission.
     *
     * @param wait measures the wait, or null if no one asks for it
     */
    public void read(List<Span> inputs, CommandSource commands, List<Span> spans, @Nullable WaitTime wait) {
        TransferContext transfer = pools.acquire();
        try {
            setInputs(transfer, inputs);
            layOut(transfer, spans);
            if (transfer.layout.copies() == 0) {
                submitAlone(transfer, inputs, commands);
            } else {
                PreparedSubmission next =
                        transfer.staged.isEmpty() ? prepared.acquire(commands, transfer.layout) : null;
                try {
                    readOut(transfer, inputs, spans, commands, next, wait);
                } finally {
                    if (next != null) {
                        prepared.release(next);
                    }
                }
            }
        } finally {
            release(transfer);
        }
    }

    private void readOut(
            TransferContext transfer,
            List<Span> inputs,
            List<Span> spans,
            CommandSource commands,
            @Nullable PreparedSubmission next,
            @Nullable WaitTime wait) {
        StagingBuffer staging = next != null && next.isReady()
                ? next.claimStaging()
                : pools.readbacks().acquire(transfer.layout.bytes());
        try {
            submit(transfer, inputs, commands, next, staging);
            staging.beginMap(transfer.layout.bytes());
            if (next != null) {
                prepare(transfer, commands, next, null);
            }
            await(staging, wait);
            for (int i = 0; i < spans.size(); i++) {
                land(transfer, spans.get(i), staging.address() + transfer.layout.position(i));
            }
        } catch (RuntimeException | Error e) {
            staging.close();
            throw e;
        }
        pools.readbacks().release(staging);
    }

    /**
     * Submits commands, waits for them, and copies the first bytes of the staging that their kernels write to. No other
     * thread may use this staging meanwhile.
     *
     * @param wait measures the wait, or null if no one asks for it
     */
    public void submitAndCopy(
            CommandSource commands, StagingBuffer written, MemorySegment destination, @Nullable WaitTime wait) {
        TransferContext transfer = pools.acquire();
        try {
            transfer.inputs.clear();
            transfer.layout.clear(); // nothing is copied on the device
            PreparedSubmission next = prepared.acquire(commands, transfer.layout);
            try {
                if (next != null && next.isReady()) {
                    commands.submitting(List.of());
                    next.claimStaging();
                    next.submit(transfer.inputs);
                } else {
                    submitAlone(transfer, List.of(), commands);
                }
                copyOut(transfer, commands, next, written, destination, wait);
            } finally {
                if (next != null) {
                    prepared.release(next);
                }
            }
        } finally {
            pools.release(transfer);
        }
    }

    private void copyOut(
            TransferContext transfer,
            CommandSource commands,
            @Nullable PreparedSubmission next,
            StagingBuffer written,
            MemorySegment destination,
            @Nullable WaitTime wait) {
        try {
            written.beginMap(Readback.roundUp(destination.byteSize()));
            if (next != null) {
                prepare(transfer, commands, next, written);
            }
            await(written, wait);
            transfer.host.setBytes(destination);
            transfer.host.copyFrom(written.address(), 0, destination.byteSize());
        } catch (RuntimeException | Error e) {
            written.reset();
            throw e;
        }
        written.unmap();
    }

    private static void await(StagingBuffer staging, @Nullable WaitTime wait) {
        if (wait != null) {
            wait.begin();
        }
        staging.awaitMapped();
        if (wait != null) {
            wait.end();
        }
    }

    /**
     * Records the next submission while the device works on this one.
     *
     * @param written the staging that kernels of the commands write to, or null if the commands copy to staging of the
     *     pool
     */
    private void prepare(
            TransferContext transfer,
            CommandSource commands,
            PreparedSubmission next,
            @Nullable StagingBuffer written) {
        StagingBuffer staging = written;
        try {
            if (staging == null) {
                staging = pools.readbacks().acquire(transfer.layout.bytes());
            }
            int window = window(transfer, commands);
            int jobs = listJobs(transfer, staging, window);
            try (Commands recording = transfer.commands.beginPrepared()) {
                record(transfer, recording, commands, staging, window, jobs);
                recording.keepIn(next.commands());
            }
            next.ready(staging, written == null);
        } catch (DeviceException e) {
            // the current submission succeeded; the next one records itself and throws then
            if (written == null && staging != null) {
                staging.close();
            }
        }
    }

    /** Frees what is kept for the runs of commands that are not used any more. */
    public void drop(CommandSource commands) {
        prepared.drop(commands);
    }

    /** Begins the reads of a batch, of the bytes as they are now. */
    public StagedRead begin(List<Span> spans) {
        ArrivingRead read = reader();
        begin(List.of(), CommandSource.NONE, spans, read);
        return read;
    }

    /** The elements of typed spans plus the bytes of raw ones. */
    public static long elements(List<Span> spans) {
        long elements = 0;
        for (int i = 0; i < spans.size(); i++) {
            elements += spans.get(i).elements();
        }
        return elements;
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
            setInputs(transfer, inputs);
            layOut(transfer, spans);
            StagingBuffer staging;
            if (transfer.layout.copies() == 0) {
                submitAlone(transfer, inputs, commands);
                staging = pools.readbacks().acquire(ReadbackPool.MIN_BYTES);
            } else {
                staging = pools.readbacks().acquire(transfer.layout.bytes());
                try {
                    submit(transfer, inputs, commands, null, staging);
                    staging.beginMap(transfer.layout.bytes());
                } catch (RuntimeException | Error e) {
                    staging.close();
                    throw e;
                }
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

    private static void submitAlone(TransferContext transfer, List<Span> inputs, CommandSource commands) {
        commands.submitting(inputs);
        if (!commands.isEmpty() || transfer.inputs.writes() > 0 || !transfer.staged.isEmpty()) {
            try (Commands recording = transfer.commands.begin(transfer.inputs)) {
                transfer.staged.record(recording);
                commands.record(recording);
                recording.submit();
            }
            transfer.staged.submitted();
        }
    }

    /** Submits commands, and after them the copies to staging. */
    private void submit(
            TransferContext transfer,
            List<Span> inputs,
            CommandSource commands,
            @Nullable PreparedSubmission next,
            StagingBuffer staging) {
        commands.submitting(inputs);
        if (next != null && !next.commands().isEmpty()) {
            next.submit(transfer.inputs);
        } else {
            int window = window(transfer, commands);
            int jobs = listJobs(transfer, staging, window);
            try (Commands recording = transfer.commands.begin(transfer.inputs)) {
                transfer.staged.record(recording);
                record(transfer, recording, commands, staging, window, jobs);
                recording.submit();
            }
            transfer.staged.submitted();
        }
    }

    /** The window of the arena that a kernel copies from, or -1 for copies by the device. */
    private int window(TransferContext transfer, CommandSource commands) {
        return pools.gathersOnDevice() && pools.gather().suits(transfer.layout, !commands.isEmpty())
                ? buffers.gatherWindow(transfer.layout)
                : -1;
    }

    /** Brings the jobs of the kernel that copies to the device; returns their number, 0 without that kernel. */
    private int listJobs(TransferContext transfer, StagingBuffer staging, int window) {
        return window < 0
                ? 0
                : pools.gather().prepare(staging, transfer.layout, buffers.gatherStart(window), transfer.jobs);
    }

    private void record(
            TransferContext transfer,
            Commands recording,
            CommandSource commands,
            StagingBuffer staging,
            int window,
            int jobs) {
        commands.record(recording);
        if (window >= 0) {
            pools.gather().record(recording, buffers.gatherGroup(window), staging, jobs);
        } else {
            ReadbackLayout layout = transfer.layout;
            GpuBuffer to = staging.buffer();
            for (int i = 0; i < layout.copies(); i++) {
                buffers.arena().copyTo(recording, layout.from(i), to, layout.target(i), layout.length(i));
            }
        }
    }

    /** Copies or casts mapped memory into the memory of a span. */
    static void land(TransferContext transfer, Span span, long address) {
        long units = transfer.host.set(span);
        ParallelCopier.SHARED.copyFrom(transfer.host, address, 0, units);
    }
}
