package io.devicearena.wgpu.internal.arena;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceKind;
import io.devicearena.DeviceLostException;
import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.memory.SystemMemory;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.device.SharedDevice;
import io.devicearena.wgpu.internal.device.SharedDevices;
import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import io.devicearena.wgpu.internal.transfer.PreparedSubmissions;
import java.util.OptionalLong;

/**
 * What one arena and its views hold of their device; {@link #memory} frees it. It does not refer to them, so that a
 * cleaner can free the resources of an arena that was dropped.
 *
 * <p>Threads: safe for any thread.
 */
public final class ArenaResources {
    private final SharedDevices devices;
    private final SharedDevice device;
    private final ArenaBuffers buffers;
    private final GuardedMemory memory = new GuardedMemory(this::free, new Figures());
    private final StaleRanges stale = new StaleRanges();

    private final KernelCache kernels;
    private final PreparedSubmissions prepared;
    private final long shadowBytes;

    private ArenaResources(
            SharedDevices devices, SharedDevice device, String label, ArenaBuffers buffers, long shadowBytes) {
        this.devices = devices;
        this.device = device;
        this.buffers = buffers;
        this.kernels = new KernelCache(device, label);
        this.prepared = new PreparedSubmissions(device.device());
        this.shadowBytes = shadowBytes;
    }

    /**
     * Allocates the memory of an arena.
     *
     * @param layout the segments of the arena, each within the device's limit
     * @param shadowBytes the size of the f16 shadow, 0 for none
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has too little free memory
     */
    public static ArenaResources allocate(
            SharedDevices devices, GpuAdapter adapter, String label, SegmentLayout layout, long shadowBytes) {
        if (adapter.kind() == DeviceKind.EMULATED_GPU) {
            requireHostMemory(label, layout.end(layout.count() - 1) + shadowBytes, SystemMemory.freeBytes());
        }
        try {
            return allocateOnce(devices, adapter, label, layout, shadowBytes);
        } catch (DeviceLostException e) {
            // the open device turned out to be lost; the second attempt opens a new one
            return allocateOnce(devices, adapter, label, layout, shadowBytes);
        }
    }

    /** The buffers of an emulated GPU are memory of the host, which the system hands out before it has it. */
    static void requireHostMemory(String label, long bytes, OptionalLong free) {
        if (free.isPresent() && bytes > free.getAsLong()) {
            throw new ArenaOutOfMemoryException("arena '" + label + "': expected " + ArenaGeometry.sizeText(bytes)
                    + " of free host memory for an emulated GPU, got " + ArenaGeometry.sizeText(free.getAsLong())
                    + "; close other arenas or plan a smaller one");
        }
    }

    private static ArenaResources allocateOnce(
            SharedDevices devices, GpuAdapter adapter, String label, SegmentLayout layout, long shadowBytes) {
        SharedDevice device = devices.acquire(adapter);
        try {
            return new ArenaResources(devices, device, label, buffers(device, label, layout, shadowBytes), shadowBytes);
        } catch (RuntimeException | Error e) {
            devices.release(device);
            throw e;
        }
    }

    private static ArenaBuffers buffers(SharedDevice shared, String label, SegmentLayout layout, long shadowBytes) {
        GpuDevice device = shared.device();
        long usage = WgpuNative.WGPUBufferUsage_Storage()
                | WgpuNative.WGPUBufferUsage_CopySrc()
                | WgpuNative.WGPUBufferUsage_CopyDst();
        SegmentAllocator.Segments allocated = new SegmentAllocator(
                        (name, bytes) -> device.createBuffer(name, bytes, usage), label, layout, shadowBytes)
                .allocate();
        return new ArenaBuffers(shared.pools(), allocated.arena(), allocated.shadow());
    }

    /**
     * Returns the size of the f16 shadow of a plan: the largest end of a mirror over all slots, at least 1. The shadow
     * of an arena of one segment is at most one binding.
     */
    public static long shadowBytes(MemoryPlan plan, SegmentLayout layout, ArenaDevice device) {
        long largest = 1;
        for (var slot : plan.slots().values()) {
            largest = Math.max(largest, mirrorEnd(slot.offset(), slot.size()));
        }
        return layout.count() > 1 ? largest : Math.min(largest, device.limits().maxBindingBytes());
    }

    /** Returns the end of the padded mirror of a slot, in bytes from the start of the shadow. */
    static long mirrorEnd(long offset, long bytes) {
        return offset / 2 + (bytes / Float.BYTES * Short.BYTES + 3 & -4);
    }

    /** The sizes of shadow and staging. Threads: safe for any thread. */
    private final class Figures implements MemoryFigures {
        @Override
        public long shadowBytes() {
            return shadowBytes;
        }

        @Override
        public long stagingBytes() {
            return device.device().stagingBytes();
        }

        @Override
        public long peakStagingBytes() {
            return device.device().peakStagingBytes();
        }
    }

    /** The device, shared with other arenas. */
    public SharedDevice device() {
        return device;
    }

    /** All open devices of the process. */
    public SharedDevices devices() {
        return devices;
    }

    /** The buffers of the arena and its shadow. */
    public ArenaBuffers buffers() {
        return buffers;
    }

    /** The native objects of the arena's kernels. */
    public KernelCache kernels() {
        return kernels;
    }

    /** The submissions that are recorded before they are needed. */
    public PreparedSubmissions prepared() {
        return prepared;
    }

    /** The bytes of the arena whose mirrors are out of date, for all views of the memory. */
    StaleRanges stale() {
        return stale;
    }

    /** Frees everything after the calls in flight have ended, and rejects calls from then on. */
    public GuardedMemory memory() {
        return memory;
    }

    /** The size of the f16 shadow, 0 for none. */
    public long shadowBytes() {
        return shadowBytes;
    }

    private void free() {
        prepared.close();
        kernels.close();
        buffers.close();
        devices.release(device);
    }
}
