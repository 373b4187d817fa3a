package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DeviceKind;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.builtin.ByteMerge;
import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.builtin.MirrorCast;
import io.devicearena.wgpu.internal.builtin.WordScatter;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
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
    private final GpuDevice device;
    private final Arena memory = Arena.ofShared();
    private final ArrayDeque<TransferContext> transfers = new ArrayDeque<>();
    private final ReadbackPool readbacks;
    private final StagingRing uploads;
    private final StagingRing largeUploads;
    private final UploadPool inputs;
    private final UploadMemories hostMemory;
    private final GpuBuffer parameters;
    private final ByteMerge merge;
    private final WordScatter scatter;
    private final MirrorCast cast;
    private final Gather gather;

    /** Makes the pools, empty, and compiles the kernels. */
    public TransferPools(GpuDevice device) {
        this.device = device;
        readbacks = new ReadbackPool(device);
        uploads = new StagingRing(device, Upload.CHUNK_BYTES, Upload.MAX_CHUNKS, false);
        largeUploads = new StagingRing(device, Upload.CHUNK_BYTES, Upload.MAX_CHUNKS, true);
        inputs = new UploadPool(device);
        hostMemory = new UploadMemories(device);
        parameters = device.createBuffer(
                "device arena parameters",
                KernelParameters.BUFFER_BYTES,
                WgpuNative.WGPUBufferUsage_Uniform() | WgpuNative.WGPUBufferUsage_CopyDst());
        merge = new ByteMerge(device, parameters);
        scatter = new WordScatter(device);
        cast = new MirrorCast(device, parameters);
        gather = new Gather(device);
    }

    /** The device of the pools. */
    public GpuDevice device() {
        return device;
    }

    /** Whether the device casts large mirrors. For an emulated device, the vector code of the host is faster. */
    boolean castsOnDevice() {
        return !isEmulated();
    }

    /** Whether a kernel copies the ranges of a batch to staging. For an emulated device, copies are faster. */
    boolean gathersOnDevice() {
        return device.adapter().supportsMappablePrimaryBuffers() && !isEmulated();
    }

    private boolean isEmulated() {
        return device.adapter().kind() == DeviceKind.EMULATED_GPU;
    }

    TransferContext acquire() {
        synchronized (transfers) {
            TransferContext free = transfers.poll();
            return free == null ? new TransferContext(device, memory) : free;
        }
    }

    void release(TransferContext used) {
        used.host.clear();
        used.hostF16.clear();
        synchronized (transfers) {
            transfers.push(used);
        }
    }

    ReadbackPool readbacks() {
        return readbacks;
    }

    /** The staging of uploads that take one chunk, or of those that take several. */
    StagingRing uploads(boolean large) {
        return large ? largeUploads : uploads;
    }

    /** The host memory of callers. */
    public UploadMemories hostMemory() {
        return hostMemory;
    }

    UploadPool inputs() {
        return inputs;
    }

    GpuBuffer parameters() {
        return parameters;
    }

    ByteMerge merge() {
        return merge;
    }

    WordScatter scatter() {
        return scatter;
    }

    MirrorCast cast() {
        return cast;
    }

    Gather gather() {
        return gather;
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
        merge.close();
        scatter.close();
        cast.close();
        gather.close();
        parameters.close();
        memory.close();
    }
}
