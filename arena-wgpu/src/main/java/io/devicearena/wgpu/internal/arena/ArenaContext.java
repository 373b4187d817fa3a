package io.devicearena.wgpu.internal.arena;

import io.devicearena.wgpu.WgpuDeviceArena;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import io.devicearena.spi.CallerMemory;
import io.devicearena.wgpu.internal.compute.KernelArena;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import io.devicearena.wgpu.internal.transfer.BatchReadback;
import io.devicearena.wgpu.internal.transfer.PendingReads;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.TransferPools;
import io.devicearena.wgpu.internal.transfer.Upload;
import java.util.List;
import java.util.Objects;

/** What its kernels may do with an arena. Threads: safe for any thread. */
final class ArenaContext implements KernelArena {
    private final WgpuDeviceArena arena;
    private final ArenaResources memory;
    private final long sizeBytes;
    private final Upload upload;
    private final Readback readback;
    private final BatchReadback batches;
    private final WgpuF16Shadow shadow;

    ArenaContext(
            WgpuDeviceArena arena,
            ArenaResources memory,
            long sizeBytes,
            Upload upload,
            Readback readback,
            BatchReadback batches,
            WgpuF16Shadow shadow) {
        this.arena = arena;
        this.memory = memory;
        this.sizeBytes = sizeBytes;
        this.upload = upload;
        this.readback = readback;
        this.batches = batches;
        this.shadow = shadow;
    }

    @Override
    public void enter() {
        arena.plan(); // throws when the arena is closed
        memory.gate().enter();
    }

    @Override
    public void leave() {
        memory.gate().leave();
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public long shadowBytes() {
        return arena.f16Shadow().sizeBytes();
    }

    @Override
    public BufferSlot slot(NodeId id) {
        return arena.slot(id);
    }

    @Override
    public boolean hasMirror(BufferSlot slot) {
        return shadow.fits(slot);
    }

    @Override
    public void stale(long offset, long bytes) {
        arena.stale(offset, bytes);
    }

    @Override
    public void fresh(long offset, long bytes) {
        shadow.fresh(offset, bytes);
    }

    @Override
    public boolean isStale(long offset, long bytes) {
        return shadow.isStale(offset, bytes);
    }

    @Override
    public List<ReadBatch.Region> requireReadable(ReadBatch batch, boolean byAnyThread) {
        List<ReadBatch.Region> regions = Objects.requireNonNull(batch, "reads").regions();
        for (int i = 0; i < regions.size(); i++) {
            ReadBatch.Region region = regions.get(i);
            switch (region) {
                case ReadBatch.Output output -> slot(output.node());
                case ReadBatch.Bytes bytes ->
                    requireRange(bytes.offset(), bytes.destination().byteSize());
            }
            CallerMemory.requireAccess("destination", region.destination());
            if (byAnyThread) {
                CallerMemory.requireShared("destination", region.destination());
            }
        }
        return regions;
    }

    private void requireRange(long offset, long length) {
        if (length > sizeBytes || offset > sizeBytes - length) {
            throw new IllegalArgumentException("range: expected one within the arena of " + sizeBytes
                    + " bytes, got offset " + offset + " and length " + length);
        }
    }

    @Override
    public ArenaBuffers buffers() {
        return memory.buffers();
    }

    @Override
    public TransferPools pools() {
        return memory.device().pools();
    }

    @Override
    public BatchReadback batches() {
        return batches;
    }

    @Override
    public Upload upload() {
        return upload;
    }

    @Override
    public Readback readback() {
        return readback;
    }

    @Override
    public PendingReads pending() {
        return memory.pending();
    }

    @Override
    public KernelCache memory() {
        return memory.kernels();
    }
}
