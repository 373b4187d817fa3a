package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DeferredRead;
import io.devicearena.DeviceException;
import io.devicearena.ReadBatch;
import io.devicearena.WriteBatch;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.events.WaitTime;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
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
    private final RegionSizes sizes;

    /**
     * Makes the reader of the batches of one arena.
     *
     * @param prepared keeps submissions that are recorded before they are needed
     */
    public BatchReadback(TransferPools pools, ArenaBuffers buffers, PreparedSubmissions prepared, RegionSizes sizes) {
        this.pools = pools;
        this.buffers = buffers;
        this.prepared = prepared;
        this.sizes = sizes;
    }

    /**
     * Reads the regions of a batch and waits for them.
     *
     * @return elements read into typed regions plus bytes read into raw ones
     */
    public long read(List<ReadBatch.Region> regions) {
        return read(List.of(), CommandSource.NONE, regions, null);
    }

    /** Submits commands and does not wait for them. */
    public void submit(CommandSource commands) {
        submit(List.of(), commands);
    }

    /** Submits inputs and commands in one submission, and does not wait for them. */
    public void submit(List<WriteBatch.Region> inputs, CommandSource commands) {
        TransferContext transfer = pools.acquire();
        try {
            setInputs(transfer, inputs);
            submitAlone(transfer, inputs, commands);
        } finally {
            release(transfer);
        }
    }

    /** Small inputs are written with the submission; others wait in staging of their own. */
    private void setInputs(TransferContext transfer, List<WriteBatch.Region> inputs) {
        transfer.inputs.set(inputs, sizes, buffers);
        if (!transfer.inputs.areSmall()) {
            transfer.inputs.clear();
            transfer.staged.stage(inputs, pools, sizes, buffers);
        }
    }

    private void release(TransferContext transfer) {
        transfer.inputs.clear();
        transfer.staged.clear();
        pools.release(transfer);
    }

    /**
     * Submits inputs and commands, and reads the regions of a batch, all in one submission.
     *
     * @param wait measures the wait, or null if no one asks for it
     * @return elements read into typed regions plus bytes read into raw ones
     */
    public long read(
            List<WriteBatch.Region> inputs,
            CommandSource commands,
            List<ReadBatch.Region> regions,
            @Nullable WaitTime wait) {
        TransferContext transfer = pools.acquire();
        try {
            setInputs(transfer, inputs);
            long total = layOut(transfer, regions);
            if (transfer.layout.copies() == 0) {
                submitAlone(transfer, inputs, commands);
            } else {
                PreparedSubmission next =
                        transfer.staged.isEmpty() ? prepared.acquire(commands, transfer.layout) : null;
                try {
                    readOut(transfer, inputs, regions, commands, next, wait);
                } finally {
                    if (next != null) {
                        prepared.release(next);
                    }
                }
            }
            return total;
        } finally {
            release(transfer);
        }
    }

    private void readOut(
            TransferContext transfer,
            List<WriteBatch.Region> inputs,
            List<ReadBatch.Region> regions,
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
            for (int i = 0; i < regions.size(); i++) {
                land(transfer, regions.get(i), staging.address() + transfer.layout.position(i), transfer.counts[i]);
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

    /** The number of bytes of inputs. */
    public long inputBytes(List<WriteBatch.Region> inputs) {
        long bytes = 0;
        for (WriteBatch.Region input : inputs) {
            bytes += sizes.elements(input)
                    * switch (input) {
                        case WriteBatch.Floats floats -> floats.dtype().bytes();
                        case WriteBatch.Elements elements -> elements.dtype().bytes();
                        case WriteBatch.Bytes _ -> 1;
                    };
        }
        return bytes;
    }

    /** The number of bytes that are read. */
    public long readBytes(List<ReadBatch.Region> regions) {
        long bytes = 0;
        for (ReadBatch.Region region : regions) {
            bytes += sizes.elements(region) * unit(region);
        }
        return bytes;
    }

    /**
     * Records and finishes the next submission while the device works on this one.
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
                recording.finishInto(next.commands());
            }
            next.ready(staging, written == null);
        } catch (DeviceException e) {
            // the current submission succeeded; the next one records itself and throws then
            if (written == null && staging != null) {
                staging.close();
            }
        }
    }

    /**
     * Frees what is kept for the runs of commands that are not used any more.
     *
     * @param written the ranges that the commands write
     * @return false if nothing that the commands use may be freed before the arena
     */
    public boolean drop(CommandSource commands, Set<GpuBindGroup.Range> written) {
        TransferContext first = pools.acquire();
        TransferContext last = pools.acquire();
        try {
            return prepared.drop(commands, new SavedRanges(pools.device(), first.commands, last.commands, written));
        } finally {
            pools.release(last);
            pools.release(first);
        }
    }

    /**
     * Begins to read the regions of a batch as they are now.
     *
     * @param arena kept reachable for as long as the read is pending
     * @param memory the memory of the arena, which keeps the read until it has ended
     */
    public DeferredRead begin(List<ReadBatch.Region> regions, Object arena, GuardedMemory memory) {
        return begin(List.of(), CommandSource.NONE, reader(regions), null, arena, memory);
    }

    /** Makes what reads the regions of a batch, once or again and again. */
    public ArrivingRead reader(List<ReadBatch.Region> regions) {
        return new ArrivingRead(pools, regions);
    }

    /**
     * Submits inputs and commands, and begins a read as it is after the commands. Nothing is allocated but the first
     * handle of a read.
     *
     * @param read has ended, or was never begun
     * @param ended the handle of the read, or null for the first time
     * @param arena kept reachable for as long as the read is pending
     * @param memory the memory of the arena, which keeps the read until it has ended
     * @return the handle
     */
    public DeferredRead begin(
            List<WriteBatch.Region> inputs,
            CommandSource commands,
            ArrivingRead read,
            @Nullable DeferredRead ended,
            Object arena,
            GuardedMemory memory) {
        long total = begin(inputs, commands, read);
        if (ended == null) {
            return memory.begin(read, total, arena);
        }
        memory.beginAgain(ended, total, arena);
        return ended;
    }

    private long begin(List<WriteBatch.Region> inputs, CommandSource commands, ArrivingRead read) {
        TransferContext transfer = pools.acquire();
        try {
            setInputs(transfer, inputs);
            long total = layOut(transfer, read.regions());
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
            read.begin(staging, transfer.layout, transfer.counts, total == 0);
            return total;
        } finally {
            release(transfer);
        }
    }

    private long layOut(TransferContext transfer, List<ReadBatch.Region> regions) {
        transfer.ensureCounts(regions.size());
        transfer.layout.clear();
        long total = 0;
        for (int i = 0; i < regions.size(); i++) {
            ReadBatch.Region region = regions.get(i);
            long count = sizes.elements(region);
            transfer.counts[i] = count;
            transfer.layout.add(sizes.offset(region), count * unit(region));
            total += count;
        }
        return total;
    }

    private static void submitAlone(TransferContext transfer, List<WriteBatch.Region> inputs, CommandSource commands) {
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
            List<WriteBatch.Region> inputs,
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

    private static int unit(ReadBatch.Region region) {
        return switch (region) {
            case ReadBatch.Output output -> output.dtype().bytes();
            case ReadBatch.Elements elements -> elements.dtype().bytes();
            case ReadBatch.Bytes _ -> 1;
        };
    }

    /** Copies or casts mapped memory into the destination of a region. */
    static void land(TransferContext transfer, ReadBatch.Region region, long address, long count) {
        if (count > 0) {
            switch (region) {
                case ReadBatch.Output output -> transfer.host.setFloats(output.destination(), output.dtype());
                case ReadBatch.Elements elements -> transfer.host.setBytes(elements.destination());
                case ReadBatch.Bytes bytes -> transfer.host.setBytes(bytes.destination());
            }
            long units = region instanceof ReadBatch.Elements ? count * unit(region) : count;
            ParallelCopier.SHARED.copyFrom(transfer.host, address, 0, units);
        }
    }
}
