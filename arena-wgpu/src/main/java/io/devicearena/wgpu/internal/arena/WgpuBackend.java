package io.devicearena.wgpu.internal.arena;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceLostException;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaF16Shadow;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.ArenaOverhead;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.SystemAllocation;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.device.SharedDevice;
import io.devicearena.wgpu.internal.device.SharedDevices;
import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import io.devicearena.wgpu.internal.transfer.BatchReadback;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.TransferPools;
import io.devicearena.wgpu.internal.transfer.Upload;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * The memory of an arena and its views: a buffer for each segment and one for the f16 shadow of each, what moves bytes
 * to and from them, and the native objects of its kernels. It does not refer to an arena, so that an arena that was
 * dropped can be collected.
 *
 * <p>Threads: safe for any thread.
 */
public final class WgpuBackend implements ArenaBackend, ArenaF16Shadow.Memory {
    private final SharedDevices devices;
    private final SharedDevice device;
    private final ArenaBuffers buffers;
    private final Upload upload;
    private final Readback readback;
    private final BatchReadback batches;
    private final KernelCache kernels;
    private final Front front;

    /** Makes what callers unwrap from an arena, apart from its shadow. Threads: safe for any thread. */
    public interface Front {
        /** The object of a type, or empty where there is none. */
        <T> Optional<T> of(Class<T> type, ArenaContext arena);
    }

    private WgpuBackend(SharedDevices devices, SharedDevice device, String label, ArenaBuffers buffers, Front front) {
        this.devices = devices;
        this.device = device;
        this.buffers = buffers;
        this.upload = new Upload(buffers);
        this.readback = new Readback(device.pools());
        this.batches = new BatchReadback(buffers);
        this.kernels = new KernelCache(device, label);
        this.front = front;
    }

    /**
     * Allocates the memory of an arena.
     *
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has too little free memory
     */
    public static WgpuBackend allocate(
            SharedDevices devices,
            GpuAdapter adapter,
            ArenaDevice device,
            MemoryPlan plan,
            ArenaOptions options,
            Front front) {
        SegmentLayout layout = ArenaGeometry.of(plan, options, device).segments();
        long shadowBytes = shadowBytes(device, plan, layout, options);
        if (adapter.isEmulated()) { // its buffers are host memory, which the system hands out before it has it
            long bytes = layout.end(layout.count() - 1) + shadowBytes;
            SystemAllocation.requireFree("arena '" + options.label() + "' of an emulated GPU", bytes);
        }
        F16Mirrors mirrors = new F16Mirrors(options.f16Shadow(), shadowBytes);
        try {
            return allocate(devices, adapter, options.label(), layout, mirrors, front);
        } catch (DeviceLostException e) {
            // the open device turned out to be lost; the second attempt opens a new one
            return allocate(devices, adapter, options.label(), layout, mirrors, front);
        }
    }

    /** What an arena would take beside its own bytes. */
    public static ArenaOverhead overhead(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        SegmentLayout layout = ArenaGeometry.of(plan, options, device).segments();
        return new ArenaOverhead(shadowBytes(device, plan, layout, options), TransferPools.STAGING_BYTES);
    }

    /** The size of the shadow of an arena; in an arena of one segment, it is at most one binding. */
    private static long shadowBytes(ArenaDevice device, MemoryPlan plan, SegmentLayout layout, ArenaOptions options) {
        boolean shadowed =
                device.capabilities().contains(Capability.F16_SHADOW) && options.f16Shadow() != F16ShadowMode.OFF;
        if (!shadowed) {
            return 0;
        }
        long bytes = F16Mirrors.shadowBytes(plan);
        return layout.count() > 1 ? bytes : Math.min(bytes, device.limits().maxBindingBytes());
    }

    private static WgpuBackend allocate(
            SharedDevices devices,
            GpuAdapter adapter,
            String label,
            SegmentLayout layout,
            F16Mirrors mirrors,
            Front front) {
        SharedDevice shared = devices.acquire(adapter);
        try {
            long usage = WgpuNative.WGPUBufferUsage_Storage()
                    | WgpuNative.WGPUBufferUsage_CopySrc()
                    | WgpuNative.WGPUBufferUsage_CopyDst();
            SegmentAllocator.Segments allocated = new SegmentAllocator(
                            (name, bytes) -> shared.device().createBuffer(name, bytes, usage),
                            label,
                            layout,
                            mirrors.shadowBytes())
                    .allocate();
            ArenaBuffers buffers = new ArenaBuffers(shared.pools(), mirrors, allocated.arena(), allocated.shadow());
            return new WgpuBackend(devices, shared, label, buffers, front);
        } catch (RuntimeException | Error e) {
            devices.release(shared);
            throw e;
        }
    }

    @Override
    public void write(long offset, MemorySegment source) {
        mirrors().markStale(offset, source.byteSize());
        upload.write(buffers.arena(), offset, DType.U8, source, source.byteSize());
    }

    @Override
    public void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        upload.writeValue(slot, dtype, source, elements, true);
    }

    @Override
    public void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        upload.writeValue(slot, dtype, source, elements);
    }

    @Override
    public void write(List<Span> spans) {
        upload.write(spans, true);
    }

    @Override
    public Optional<StagedRead> beginWrite(List<Span> spans) {
        upload.write(spans, false);
        return Optional.of(device.pools().hostMemory().pending(spans));
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        readback.read(buffers.arena(), offset, DType.U8, destination, destination.byteSize());
    }

    @Override
    public void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        readback.read(buffers.arena(), slot.offset(), dtype, destination, elements);
    }

    @Override
    public void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        readback.read(buffers.arena(), slot.offset(), dtype, destination, elements);
    }

    @Override
    public void read(List<Span> spans) {
        batches.read(spans);
    }

    @Override
    public Optional<StagedRead> beginRead(List<Span> spans) {
        return Optional.of(batches.begin(spans));
    }

    @Override
    public HostAllocation map(long offset, long length) {
        return readback.map(buffers.arena(), offset, length);
    }

    @Override
    public void copy(long from, long to, long length) {
        if (((from | to | length) & (Integer.BYTES - 1)) == 0) {
            mirrors().markStale(to, length);
            GpuBuffer between = kernels.bounce(length);
            batches.submit(commands -> buffers.arena().copyWithin(commands, from, to, length, between));
        } else {
            ArenaBackend.super.copy(from, to, length);
        }
    }

    @Override
    public void flush() {
        device.device().flush();
    }

    @Override
    public HostAllocation allocateHost(long bytes) {
        return device.pools().hostMemory().allocate(bytes);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type, OpenArena arena) {
        ArenaContext context = new ArenaContext(arena, this);
        if (type == ArenaContext.class) {
            return Optional.of(type.cast(context));
        }
        if (type == F16Shadow.class) {
            return ArenaF16Shadow.of(arena, this).map(type::cast);
        }
        return front.of(type, context);
    }

    @Override
    public MemoryFigures figures() {
        return new MemoryFigures(
                mirrors().shadowBytes(),
                device.device().stagingBytes(),
                device.device().peakStagingBytes());
    }

    @Override
    public void close() {
        batches.close();
        kernels.close();
        buffers.close();
        devices.release(device);
    }

    /** All open devices of the process. */
    public SharedDevices devices() {
        return devices;
    }

    /** The device, shared with other arenas. */
    public SharedDevice sharedDevice() {
        return device;
    }

    /** The device of the memory. */
    public GpuDevice device() {
        return device.device();
    }

    /** The buffers of the arena and its shadow. */
    public ArenaBuffers buffers() {
        return buffers;
    }

    @Override
    public F16Mirrors mirrors() {
        return buffers.mirrors();
    }

    @Override
    public void writeShadow(long offset, MemorySegment source, long elements) {
        upload.write(buffers.shadow(), offset, DType.F16, source, elements);
    }

    @Override
    public void refresh(BufferSlot slot) {
        upload.castMirror(slot.offset(), slot.size() / Float.BYTES, true);
    }

    @Override
    public void readShadow(long offset, MemorySegment destination) {
        readback.read(buffers.shadow(), offset, DType.U8, destination, destination.byteSize());
    }

    /** Writes to buffers. */
    public Upload upload() {
        return upload;
    }

    /** Reads from buffers. */
    public Readback readback() {
        return readback;
    }

    /** Reads batches. */
    public BatchReadback batches() {
        return batches;
    }

    /** The native objects of the kernels. */
    public KernelCache kernels() {
        return kernels;
    }
}
