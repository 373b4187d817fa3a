package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WGPUBindGroupDescriptor;
import io.devicearena.wgpu.ffi.WGPUBindGroupEntry;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Ranges of buffers that a kernel sees. Threads: safe for any thread. Lifetime: until {@link #close}. */
public final class GpuBindGroup implements AutoCloseable {
    /** One binding. Threads: immutable. */
    public record Range(GpuBuffer buffer, long offset, long bytes) {}

    private final MemorySegment handle;

    private GpuBindGroup(MemorySegment handle) {
        this.handle = handle;
    }

    public static GpuBindGroup create(GpuDevice device, GpuKernel kernel, List<Range> ranges) {
        device.requireAlive();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment entries = WGPUBindGroupEntry.allocateArray(ranges.size(), call);
            for (int i = 0; i < ranges.size(); i++) {
                Range range = ranges.get(i);
                GpuDevice.requireRange(range.buffer(), range.offset(), range.bytes());
                MemorySegment entry = WGPUBindGroupEntry.asSlice(entries, i);
                WGPUBindGroupEntry.binding(entry, i);
                WGPUBindGroupEntry.buffer(entry, range.buffer().handle());
                WGPUBindGroupEntry.offset(entry, range.offset());
                WGPUBindGroupEntry.size(entry, range.bytes());
            }
            MemorySegment descriptor = call.allocate(WGPUBindGroupDescriptor.layout());
            WGPUBindGroupDescriptor.layout(descriptor, kernel.groupLayout());
            WGPUBindGroupDescriptor.entryCount(descriptor, ranges.size());
            WGPUBindGroupDescriptor.entries(descriptor, entries);
            MemorySegment handle = WgpuNative.wgpuDeviceCreateBindGroup(device.segment(), descriptor);
            device.errors().check("wgpuDeviceCreateBindGroup");
            return new GpuBindGroup(handle);
        }
    }

    long address() {
        return handle.address();
    }

    @Override
    public void close() {
        WgpuNative.wgpuBindGroupRelease(handle);
    }
}
