package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.CallbackSlot;
import io.devicearena.wgpu.internal.raw.Downcalls;
import io.devicearena.wgpu.internal.raw.NativeText;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUBufferDescriptor;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A buffer on a device.
 *
 * <p>Threads: safe for any thread, but the mapping of a staging buffer belongs to one thread at a time. Lifetime: until
 * {@link #close}; whoever closes it answers for nobody using it.
 */
public final class GpuBuffer implements AutoCloseable {
    private static final long MAP_USAGES = WgpuNative.WGPUBufferUsage_MapRead() | WgpuNative.WGPUBufferUsage_MapWrite();

    private final GpuDevice device;
    private final MemorySegment handle;
    private final long address;
    private final long bytes;
    private final long usage;
    private boolean closed;

    private GpuBuffer(GpuDevice device, MemorySegment handle, long bytes, long usage) {
        this.device = device;
        this.handle = handle;
        this.address = handle.address();
        this.bytes = bytes;
        this.usage = usage;
    }

    /**
     * Takes memory of a device, all of it zero.
     *
     * @param bytes a multiple of 4, within the device's limit
     * @param mapped whether the host can write to it at once; {@link #mappedRange} tells where
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough
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
            MemorySegment handle = WgpuNative.wgpuDeviceCreateBuffer(device.segment(), descriptor);
            try {
                device.errors().check("wgpuDeviceCreateBuffer of " + bytes + " bytes");
                if (handle.address() == 0) {
                    throw new DeviceException(
                            "wgpuDeviceCreateBuffer: expected a buffer of " + bytes + " bytes, got none");
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

    long address() {
        return address;
    }

    /** The library's handle, for engines with bindings of their own and for bind groups. */
    public MemorySegment handle() {
        return handle;
    }

    /** Its size in bytes. */
    public long bytes() {
        return bytes;
    }

    long usage() {
        return usage;
    }

    /** Asks for the first bytes to be mapped; the completion has the answer. The buffer must not be mapped. */
    void mapAsync(long mode, long length, CallbackSlot completion) {
        if ((usage & MAP_USAGES) == 0 || length < 4 || length % 4 != 0 || length > bytes) {
            throw new AssertionError("map of " + length + " of " + bytes + " bytes, usage " + usage);
        }
        completion.reset();
        device.requireAlive();
        Downcalls.bufferMapAsync(address, mode, 0, length, completion.info());
    }

    /** Where the host finds the first bytes, read-only; they must be mapped for reading. */
    long constMappedRange(long length) {
        return requireRange(Downcalls.bufferGetConstMappedRange(address, 0, length), length);
    }

    /** Where the host finds the first bytes; they must be mapped for writing. */
    long mappedRange(long length) {
        return requireRange(Downcalls.bufferGetMappedRange(address, 0, length), length);
    }

    private static long requireRange(long found, long length) {
        if (found == 0) {
            throw new DeviceException("mapped range: expected " + length + " bytes, got none");
        }
        return found;
    }

    void unmap() {
        Downcalls.bufferUnmap(address);
    }

    /** Gives the memory back once the device is done with it. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            device.dropWrites(this);
            WgpuNative.wgpuBufferDestroy(handle);
            WgpuNative.wgpuBufferRelease(handle);
            device.errors().drop(); // nobody could do anything about a buffer that would not go
        }
    }
}
