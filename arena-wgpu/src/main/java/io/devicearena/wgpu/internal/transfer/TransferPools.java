package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.MirrorCast;
import io.devicearena.wgpu.internal.builtin.WordScatter;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingRing;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;

/**
 * The objects that the transfers of one device reuse: recorders, staging for uploads and reads, kernels.
 *
 * <p>Threads: safe for any thread. Lifetime: as long as the device, which is closed after it.
 */
public final class TransferPools implements AutoCloseable {
    /** The most staging of a thread that writes and reads one value at a time, in bytes: both rings, and one read. */
    public static final long STAGING_BYTES =
            2 * Upload.MAX_CHUNKS * Upload.CHUNK_BYTES + TransferContext.PIECES * Readback.PIECE_BYTES;

    private final GpuDevice device;
    private final Arena memory = Arena.ofShared();
    private final ArrayDeque<TransferContext> transfers = new ArrayDeque<>();
    private final UploadMemories hostMemory;
    /** The staging of reads. */
    final StagingPool readbacks;

    /** The staging of the inputs of runs. */
    final StagingPool inputs;

    /** The staging of uploads that take one chunk. */
    final StagingRing uploads;

    /** The staging of uploads that take several chunks. */
    final StagingRing largeUploads;

    final WordScatter scatter;
    final MirrorCast cast;
    final Gather gather;

    /** Makes the pools, empty, and compiles the kernels. */
    public TransferPools(GpuDevice device) {
        this.device = device;
        hostMemory = new UploadMemories(device);
        readbacks = new StagingPool(device, true);
        inputs = new StagingPool(device, false);
        uploads = new StagingRing(device, Upload.CHUNK_BYTES, Upload.MAX_CHUNKS, false);
        largeUploads = new StagingRing(device, Upload.CHUNK_BYTES, Upload.MAX_CHUNKS, true);
        scatter = new WordScatter(device);
        cast = new MirrorCast(device);
        gather = new Gather(device);
    }

    /** The device of the pools. */
    public GpuDevice device() {
        return device;
    }

    /** The host memory of callers. */
    public UploadMemories hostMemory() {
        return hostMemory;
    }

    /** Whether the device casts large mirrors. For an emulated device, the vector code of the host is faster. */
    boolean castsOnDevice() {
        return !device.adapter().isEmulated();
    }

    /** Whether a kernel copies the ranges of a batch to staging. For an emulated device, copies are faster. */
    boolean gathersOnDevice() {
        return device.limits().hasResultBuffers() && !device.adapter().isEmulated();
    }

    TransferContext acquire() {
        synchronized (transfers) {
            TransferContext free = transfers.poll();
            return free == null ? new TransferContext(this, memory) : free;
        }
    }

    void release(TransferContext used) {
        used.host.clear();
        used.hostF16.clear();
        synchronized (transfers) {
            transfers.push(used);
        }
    }

    /** Closes unused staging. */
    public void trim() {
        readbacks.trim();
        uploads.trim();
        largeUploads.trim();
        inputs.trim();
        device.trim();
    }

    /** Closes everything; no transfer may be under way. */
    @Override
    public void close() {
        trim();
        scatter.close();
        cast.close();
        gather.close();
        memory.close();
    }
}
