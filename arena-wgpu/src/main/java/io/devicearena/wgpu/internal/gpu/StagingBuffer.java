package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.CallbackSlot;

import io.devicearena.wgpu.ffi.WgpuNative;
import org.jspecify.annotations.Nullable;

/**
 * A buffer that the host and the device use in turn: mapped, the host has it; unmapped, the device.
 *
 * <p>Threads: one thread at a time. Lifetime: until {@link #close}.
 */
public final class StagingBuffer implements AutoCloseable {
    /** What was made for a staging buffer and goes with it. */
    public interface Companion extends AutoCloseable {
        @Override
        void close();
    }

    private final GpuDevice device;
    private final GpuBuffer buffer;
    private final CallbackSlot mapping = CallbackSlot.take();
    private final boolean forUpload;
    private @Nullable Companion companion;
    private boolean asked;
    private boolean closed;
    private long mappedBytes;
    private long address;

    private StagingBuffer(GpuDevice device, GpuBuffer buffer, boolean forUpload) {
        this.device = device;
        this.buffer = buffer;
        this.forUpload = forUpload;
    }

    /** Makes one that the host writes and the device reads; it is mapped. */
    public static StagingBuffer forUpload(GpuDevice device, long bytes) {
        long usage = WgpuNative.WGPUBufferUsage_MapWrite() | WgpuNative.WGPUBufferUsage_CopySrc();
        GpuBuffer buffer = GpuBuffer.create(device, "device arena upload", bytes, usage, true);
        StagingBuffer staging = new StagingBuffer(device, buffer, true);
        staging.mappedBytes = bytes;
        try {
            staging.address = device.mappedRange(buffer, bytes, true);
        } catch (RuntimeException e) {
            staging.close();
            throw e;
        }
        return staging;
    }

    /**
     * Makes one that the device writes and the host reads; it is not mapped.
     *
     * @param bound whether kernels write to it, where the adapter can do that
     */
    public static StagingBuffer forReadback(GpuDevice device, long bytes, boolean bound) {
        long usage = WgpuNative.WGPUBufferUsage_MapRead() | WgpuNative.WGPUBufferUsage_CopyDst();
        if (bound && device.adapter().bindsStaging()) {
            usage |= WgpuNative.WGPUBufferUsage_Storage();
        }
        return new StagingBuffer(device, GpuBuffer.create(device, "device arena readback", bytes, usage, false), false);
    }

    /** Makes one that kernels write and the host reads, on an adapter that can do that; it is not mapped. */
    public static StagingBuffer forResult(GpuDevice device, String label, long bytes) {
        long usage = WgpuNative.WGPUBufferUsage_MapRead() | WgpuNative.WGPUBufferUsage_Storage();
        return new StagingBuffer(device, GpuBuffer.create(device, label, bytes, usage, false), false);
    }

    /** What the device copies from or to while it is not mapped. */
    public GpuBuffer buffer() {
        return buffer;
    }

    /** What was made for it, if anything. */
    public @Nullable Companion companion() {
        return companion;
    }

    /** Keeps what was made for it. */
    public void keep(Companion made) {
        companion = made;
    }

    /** Asks for the first bytes to be mapped once the device has done what was submitted before. */
    public void beginMap(long bytes) {
        if (asked || mappedBytes > 0) {
            throw new AssertionError("a staging buffer is mapped twice");
        }
        buffer.mapAsync(forUpload ? WgpuNative.WGPUMapMode_Write() : WgpuNative.WGPUMapMode_Read(), bytes, mapping);
        asked = true;
        mappedBytes = bytes;
    }

    /** Looks once whether it is mapped. */
    public boolean isMapped() {
        if (asked && device.isDone(mapping, "wgpuBufferMapAsync")) {
            mapped();
        }
        return address != 0;
    }

    /** Waits until it is mapped. */
    public void awaitMapped() {
        if (asked) {
            device.await(mapping, "wgpuBufferMapAsync");
            mapped();
        }
    }

    private void mapped() {
        asked = false;
        address = device.mappedRange(buffer, mappedBytes, forUpload);
    }

    /** Where the host finds the first byte while it is mapped. */
    public long address() {
        if (address == 0) {
            throw new AssertionError("a staging buffer is not mapped");
        }
        return address;
    }

    /** Hands it back to the device. */
    public void unmap() {
        if (mappedBytes > 0) {
            buffer.unmap();
            mappedBytes = 0;
            address = 0;
            asked = false;
        }
    }

    /** Hands it back to the device after a failure that has been told. */
    public void reset() {
        unmap();
        device.errors().drop();
    }

    /** Gives the memory back, whatever state it is in. */
    @Override
    public void close() {
        if (companion != null) {
            companion.close();
            companion = null;
        }
        buffer.close();
        if (!asked && !closed) {
            CallbackSlot.give(mapping);
        }
        closed = true;
    }
}
