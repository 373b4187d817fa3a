package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import io.devicearena.wgpu.internal.transfer.BatchReadback;
import io.devicearena.wgpu.internal.transfer.PendingReads;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.TransferPools;
import io.devicearena.wgpu.internal.transfer.Upload;
import java.util.List;

/** What kernels need of their arena. Whoever holds it keeps the arena reachable. Threads: safe for any thread. */
public interface KernelArena {
    /** Lets a call in; {@link #leave} must follow. Throws when the arena is closed. */
    void enter();

    /** Lets a call out. */
    void leave();

    /** The size of the arena in bytes. */
    long sizeBytes();

    /** The size of the shadow in bytes; throws when there is none. */
    long shadowBytes();

    /** The slot of a value; throws when it has none. */
    BufferSlot slot(NodeId id);

    /** Whether the value of a slot has a mirror. */
    boolean hasMirror(BufferSlot slot);

    /** Notes that bytes of the arena were written without their mirrors. */
    void stale(long offset, long bytes);

    /** Notes that the mirrors of bytes of the arena are what they should be. */
    void fresh(long offset, long bytes);

    /** Whether some byte was written without its mirror. */
    boolean isStale(long offset, long bytes);

    /** Throws unless all regions of a batch can be read by this thread now. */
    List<ReadBatch.Region> requireReadable(ReadBatch batch, boolean byAnyThread);

    /** Its buffers. */
    ArenaBuffers buffers();

    /** What transfers of its device use. */
    TransferPools pools();

    /** What reads its batches. */
    BatchReadback batches();

    /** What writes to buffers. */
    Upload upload();

    /** What reads from buffers. */
    Readback readback();

    /** Where reads that were begun are noted. */
    PendingReads pending();

    /** Where the native objects of its kernels are kept. */
    KernelCache memory();
}
