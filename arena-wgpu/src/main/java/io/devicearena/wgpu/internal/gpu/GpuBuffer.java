package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUBufferDescriptor;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.CallbackSlot;
import io.devicearena.wgpu.internal.raw.Downcalls;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A buffer on a device.
 *
 * <p>Threads: safe for any thread, but only one thread at a time maps and unmaps. Lifetime: until {@link #close}; no
 * other thread may use the buffer then.
 */
public final class GpuBuffer implements AutoCloseable {
    private static final long MAP_USAGES = WgpuNative.WGPUBufferUsage_MapRead() | WgpuNative.WGPUBufferUsage_MapWrite();

    private final GpuDevice device;
    private final Arena memory = Arena.ofShared();
    private final MemorySegment handle;
    final long address;
    private final long bytes;
    private final long usage;

    private GpuBuffer(GpuDevice device, MemorySegment handle, long bytes, long usage) {
        this.device = device;
        this.handle = handle.reinterpret(memory, GpuBuffer::free);
        this.address = handle.address();
        this.bytes = bytes;
        this.usage = usage;
    }

    private static void free(MemorySegment buffer) {
        WgpuNative.wgpuBufferDestroy(buffer); // frees the memory now, even if a command buffer still refers to it
        WgpuNative.wgpuBufferRelease(buffer);
    }

    /**
     * Allocates memory on a device, all of it zero.
     *
     * @param bytes a multiple of 4, within the device's limit
     * @param mapped whether the buffer is mapped for writing; {@link #mappedRange} returns the address
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has too little free memory
     */
    static GpuBuffer create(GpuDevice device, String label, long bytes, long usage, boolean mapped) {
        if (bytes < 4 || bytes % 4 != 0 || bytes > device.limits().maxBufferBytes()) {
            throw new AssertionError("buffer '" + label + "' of " + bytes + " bytes, the limit is "
                    + device.limits().maxBufferBytes());
        }
        device.requireAlive();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment descriptor = call.allocate(WGPUBufferDescriptor.layout());
            NativeText.set(WGPUBufferDescriptor.label(descriptor), label, call);
            WGPUBufferDescriptor.usage(descriptor, usage);
            WGPUBufferDescriptor.size(descriptor, bytes);
            WGPUBufferDescriptor.mappedAtCreation(descriptor, mapped ? 1 : 0);
            MemorySegment handle = WgpuNative.wgpuDeviceCreateBuffer(device.handle(), descriptor);
            try {
                device.errors.check("wgpuDeviceCreateBuffer of " + bytes + " bytes");
                if (handle.address() == 0) {
                    throw new DeviceException("wgpuDeviceCreateBuffer of " + bytes + " bytes returned no buffer");
                }
            } catch (DeviceException e) {
                if (handle.address() != 0) {
                    WgpuNative.wgpuBufferRelease(handle); // a failed call returns a handle too
                }
                throw e;
            }
            return new GpuBuffer(device, handle, bytes, usage);
        }
    }

    /** The library's handle. */
    public MemorySegment handle() {
        return handle;
    }

    /** The size in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Throws unless a range is in whole words, not empty, and within the buffer. */
    void requireRange(long offset, long length) {
        if (((offset | length) & 3) != 0 || length <= 0 || offset < 0 || offset > bytes - length) {
            throw new AssertionError(
                    "range of " + length + " bytes at " + offset + " of a buffer of " + bytes + " bytes");
        }
    }

    /** Asks for the first bytes to be mapped; the slot receives the answer. The buffer must not be mapped. */
    void mapAsync(long mode, long length, CallbackSlot slot) {
        if ((usage & MAP_USAGES) == 0 || length < 4 || length % 4 != 0 || length > bytes) {
            throw new AssertionError("map of " + length + " of " + bytes + " bytes, usage " + usage);
        }
        slot.reset();
        device.requireAlive();
        Downcalls.bufferMapAsync(address, mode, 0, length, slot.info());
        device.errors.check(GpuErrors.MAP);
    }

    /** The address of the first bytes, which must be mapped: for writing, or for reading. */
    long mappedRange(long length, boolean writable) {
        long found = writable
                ? Downcalls.bufferGetMappedRange(address, 0, length)
                : Downcalls.bufferGetConstMappedRange(address, 0, length);
        if (found == 0) {
            throw new DeviceException("device '" + device.adapter().name() + "': "
                    + (writable ? "wgpuBufferGetMappedRange" : "wgpuBufferGetConstMappedRange")
                    + " failed: no mapped range of " + length + " bytes");
        }
        return found;
    }

    void unmap() {
        Downcalls.bufferUnmap(address);
    }

    /** Frees the memory once the device has finished with it. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (memory.scope().isAlive()) {
            device.queue().dropWrites(this);
            memory.close();
            device.errors.drop(); // a caller could do nothing about an error of this release
        }
    }
}
