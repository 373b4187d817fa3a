package io.devicearena.wgpu.internal.arena;

import io.devicearena.wgpu.internal.device.SharedDevice;
import io.devicearena.wgpu.internal.device.SharedDevices;

import io.devicearena.ArenaDevice;
import io.devicearena.DeviceLostException;
import io.devicearena.MemoryPlan;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import io.devicearena.wgpu.internal.transfer.PendingReads;
import io.devicearena.wgpu.internal.transfer.PreparedSubmissions;

/**
 * What an arena holds of its device, and what gives it back. It knows nothing of the arena, which may be dropped.
 *
 * <p>Threads: safe for any thread.
 */
final class ArenaResources implements Runnable {
    private final SharedDevices devices;
    private final SharedDevice device;
    private final ArenaBuffers buffers;
    private final PendingReads pending = new PendingReads();
    private final CloseGuard gate = new CloseGuard();
    private final KernelCache kernels;
    private final PreparedSubmissions runs;
    private final long shadowBytes;

    private ArenaResources(SharedDevices devices, SharedDevice device, ArenaBuffers buffers, long shadowBytes) {
        this.devices = devices;
        this.device = device;
        this.buffers = buffers;
        this.kernels = new KernelCache(device.device());
        this.runs = new PreparedSubmissions(device.device());
        this.shadowBytes = shadowBytes;
    }

    /**
     * Takes the memory of an arena.
     *
     * @param sizeBytes the arena, within the device's limit
     * @param shadowBytes the shadow, 0 for none
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough
     */
    static ArenaResources allocate(
            SharedDevices devices, GpuAdapter adapter, String label, long sizeBytes, long shadowBytes) {
        try {
            return allocateOnce(devices, adapter, label, sizeBytes, shadowBytes);
        } catch (DeviceLostException e) {
            // the device that other arenas use was lost and nobody knew; now there is a new one
            return allocateOnce(devices, adapter, label, sizeBytes, shadowBytes);
        }
    }

    private static ArenaResources allocateOnce(
            SharedDevices devices, GpuAdapter adapter, String label, long sizeBytes, long shadowBytes) {
        SharedDevice device = devices.retain(adapter);
        try {
            return new ArenaResources(devices, device, buffers(device, label, sizeBytes, shadowBytes), shadowBytes);
        } catch (RuntimeException | Error e) {
            devices.release(device);
            throw e;
        }
    }

    private static ArenaBuffers buffers(SharedDevice open, String label, long sizeBytes, long shadowBytes) {
        GpuDevice device = open.device();
        long usage = WgpuNative.WGPUBufferUsage_Storage()
                | WgpuNative.WGPUBufferUsage_CopySrc()
                | WgpuNative.WGPUBufferUsage_CopyDst();
        GpuBuffer arena = device.createBuffer(label, roundUp(sizeBytes), usage);
        GpuBuffer shadow = null;
        try {
            if (shadowBytes > 0) {
                shadow = device.createBuffer(label + " (f16 shadow)", roundUp(shadowBytes), usage);
            }
            return new ArenaBuffers(open.pools(), arena, shadow);
        } catch (RuntimeException | Error e) {
            arena.close();
            if (shadow != null) {
                shadow.close();
            }
            throw e;
        }
    }

    private static long roundUp(long bytes) {
        return bytes + (ArenaBuffers.SIZE_UNIT - 1) & -ArenaBuffers.SIZE_UNIT;
    }

    /**
     * The size of the f16 shadow of a plan: the largest end of a mirror over all slots, at least 1, at most one binding.
     */
    static long shadowBytes(MemoryPlan plan, ArenaDevice device) {
        long largest = 1;
        for (var slot : plan.slots().values()) {
            largest = Math.max(largest, mirrorEnd(slot.offset(), slot.size()));
        }
        return Math.min(largest, device.limits().maxBindingBytes());
    }

    /** Where the padded mirror of a slot ends. */
    static long mirrorEnd(long offset, long bytes) {
        return offset / 2 + (bytes / Float.BYTES * Short.BYTES + 3 & -4);
    }

    SharedDevice device() {
        return device;
    }

    ArenaBuffers buffers() {
        return buffers;
    }

    KernelCache kernels() {
        return kernels;
    }

    /** Where the next runs of programs and reads of batches are made ready. */
    PreparedSubmissions runs() {
        return runs;
    }

    SharedDevices devices() {
        return devices;
    }

    PendingReads pending() {
        return pending;
    }

    CloseGuard gate() {
        return gate;
    }

    /** The size of the shadow, 0 for none. */
    long shadowBytes() {
        return shadowBytes;
    }

    @Override
    public void run() {
        gate.close();
        pending.close("deferred read: expected its arena to be open, got it closed; await reads before closing");
        runs.close();
        kernels.close();
        buffers.close();
        devices.release(device);
    }
}
