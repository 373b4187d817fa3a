package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.CallbackSlot;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that the host and the device use in turn: the host while it is mapped, the device while it is not.
 *
 * <p>Threads: one thread at a time. Lifetime: until {@link #close}.
 */
public final class StagingBuffer implements AutoCloseable {
    /** An object that belongs to a staging buffer and is closed with it. */
    public interface Companion extends AutoCloseable {
        @Override
        void close();
    }

    private final GpuDevice device;
    private final GpuBuffer buffer;
    private final CallbackSlot mapping;
    /** Whether it is mapped for writing, else for reading. */
    private final boolean writable;

    private @Nullable Companion companion;
    private boolean requested;
    private boolean closed;
    private long mappedBytes;
    private long address;

    private StagingBuffer(GpuDevice device, String label, long bytes, long usage) {
        this.device = device;
        this.writable = (usage & WgpuNative.WGPUBufferUsage_MapWrite()) != 0;
        this.buffer = GpuBuffer.create(device, label, bytes, usage, writable);
        this.mapping = CallbackSlot.acquire();
        device.countStaging(buffer.bytes());
    }

    /**
     * Creates one for large data that the host writes and the device reads; it is mapped. It is in the memory of the
     * host where {@link HostStaging} says so.
     */
    public static StagingBuffer forLargeUpload(GpuDevice device, long bytes) {
        return device.hostStaging.isUsed() ? inHostMemory(device, bytes) : forUpload(device, bytes);
    }

    /** Creates one that the host writes, through a mapping for reading, and the device reads; it is mapped. */
    static StagingBuffer inHostMemory(GpuDevice device, long bytes) {
        return mapped(device, bytes, WgpuNative.WGPUBufferUsage_MapRead());
    }

    /** Creates one that the host writes and the device reads; it is mapped. */
    public static StagingBuffer forUpload(GpuDevice device, long bytes) {
        return mapped(device, bytes, WgpuNative.WGPUBufferUsage_MapWrite());
    }

    private static StagingBuffer mapped(GpuDevice device, long bytes, long mapUsage) {
        long usage = mapUsage | WgpuNative.WGPUBufferUsage_CopySrc();
        StagingBuffer staging = new StagingBuffer(device, "device arena upload", bytes, usage);
        try {
            if (staging.writable) { // the library maps it when it makes it
                staging.mappedBytes = bytes;
                staging.mapped();
            } else {
                staging.beginMap(bytes);
                staging.awaitMapped();
            }
        } catch (RuntimeException | Error e) {
            staging.close();
            throw e;
        }
        return staging;
    }

    /**
     * Creates one that the device writes and the host reads; it is not mapped.
     *
     * @param bound whether kernels write to it, where the adapter supports that
     */
    public static StagingBuffer forReadback(GpuDevice device, long bytes, boolean bound) {
        long usage = WgpuNative.WGPUBufferUsage_MapRead() | WgpuNative.WGPUBufferUsage_CopyDst();
        if (bound && device.limits().hasResultBuffers()) {
            usage |= WgpuNative.WGPUBufferUsage_Storage();
        }
        return new StagingBuffer(device, "device arena readback", bytes, usage);
    }

    /** Creates one that kernels write and the host reads, on an adapter that supports that; it is not mapped. */
    public static StagingBuffer forResult(GpuDevice device, String label, long bytes) {
        long usage = WgpuNative.WGPUBufferUsage_MapRead()
                | WgpuNative.WGPUBufferUsage_Storage()
                | WgpuNative.WGPUBufferUsage_CopySrc()
                | WgpuNative.WGPUBufferUsage_CopyDst();
        return new StagingBuffer(device, label, bytes, usage);
    }

    /** The buffer that the device copies from or to while it is not mapped. */
    public GpuBuffer buffer() {
        return buffer;
    }

    /** The object that belongs to the buffer, if any. */
    public @Nullable Companion companion() {
        return companion;
    }

    /** Attaches an object that is closed with the buffer. */
    public void attach(Companion made) {
        companion = made;
    }

    /** Requests a mapping of the first bytes, for when the device has done all earlier work. */
    public void beginMap(long bytes) {
        if (requested || mappedBytes > 0) {
            throw new AssertionError("a staging buffer was mapped twice");
        }
        buffer.mapAsync(writable ? WgpuNative.WGPUMapMode_Write() : WgpuNative.WGPUMapMode_Read(), bytes, mapping);
        requested = true;
        mappedBytes = bytes;
    }

    /** Polls once unless the buffer is mapped already; returns whether it is. */
    public boolean isMapped() {
        if (requested && device.poller.isDone(mapping, GpuErrors.MAP)) {
            mapped();
        }
        return address != 0;
    }

    /** Waits for the mapping. */
    public void awaitMapped() {
        if (requested) {
            device.poller.await(mapping, GpuErrors.MAP);
            mapped();
        }
    }

    private void mapped() {
        requested = false;
        address = device.queue().mappedRange(buffer, mappedBytes, writable);
    }

    /**
     * The address of the first byte; the buffer must be mapped.
     *
     * @throws io.devicearena.DeviceLostException if the device was lost before the mapping had an address
     */
    public long address() {
        if (address == 0) {
            device.requireAlive();
            throw new AssertionError("a staging buffer is not mapped");
        }
        return address;
    }

    /** Unmaps the buffer, so that the device can use it. */
    public void unmap() {
        release();
        device.errors.check("wgpuBufferUnmap");
    }

    private void release() {
        if (mappedBytes > 0) {
            buffer.unmap();
            mappedBytes = 0;
            address = 0;
            requested = false;
        }
    }

    /** Unmaps the buffer after a failure that is thrown already. */
    public void reset() {
        release();
        device.errors.drop();
    }

    /** Frees the memory, in any state. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (companion != null) {
                companion.close();
            }
            buffer.close();
            device.countStaging(-buffer.bytes());
            if (!requested) {
                CallbackSlot.release(mapping);
            }
        }
    }
}
