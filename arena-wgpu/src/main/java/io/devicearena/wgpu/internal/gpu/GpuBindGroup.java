package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUBindGroupDescriptor;
import io.devicearena.wgpu.ffi.WGPUBindGroupEntry;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

/** Ranges of buffers that a kernel sees. Threads: safe for any thread. Lifetime: until {@link #close}. */
public final class GpuBindGroup implements AutoCloseable {
    /** One binding. Threads: immutable. */
    public record Range(GpuBuffer buffer, long offset, long bytes) {}

    private final MemorySegment handle;

    private GpuBindGroup(MemorySegment handle) {
        this.handle = handle;
    }

    /** Makes the group of a kernel of this backend's own; a range is bound at the number of its place in the list. */
    public static GpuBindGroup create(GpuDevice device, GpuKernel kernel, List<Range> ranges) {
        int[] numbers = IntStream.range(0, ranges.size()).toArray();
        return create(device, kernel.groupLayout(), numbers, ranges);
    }

    /**
     * Makes one of the groups of a kernel of the caller's.
     *
     * @param numbers the binding of each range
     * @throws io.devicearena.DeviceException if the library does not take it
     */
    public static GpuBindGroup create(
            GpuDevice device, GpuPipeline pipeline, int group, int[] numbers, List<Range> ranges) {
        return create(device, pipeline.groupLayout(group), numbers, ranges);
    }

    private static GpuBindGroup create(GpuDevice device, MemorySegment layout, int[] numbers, List<Range> ranges) {
        device.requireAlive();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment entries = WGPUBindGroupEntry.allocateArray(Math.max(ranges.size(), 1), call);
            for (int i = 0; i < ranges.size(); i++) {
                Range range = ranges.get(i);
                GpuDevice.requireRange(range.buffer(), range.offset(), range.bytes());
                MemorySegment entry = WGPUBindGroupEntry.asSlice(entries, i);
                WGPUBindGroupEntry.binding(entry, numbers[i]);
                WGPUBindGroupEntry.buffer(entry, range.buffer().handle());
                WGPUBindGroupEntry.offset(entry, range.offset());
                WGPUBindGroupEntry.size(entry, range.bytes());
            }
            MemorySegment descriptor = call.allocate(WGPUBindGroupDescriptor.layout());
            WGPUBindGroupDescriptor.layout(descriptor, layout);
            WGPUBindGroupDescriptor.entryCount(descriptor, ranges.size());
            WGPUBindGroupDescriptor.entries(descriptor, entries);
            MemorySegment handle = WgpuNative.wgpuDeviceCreateBindGroup(device.segment(), descriptor);
            try {
                device.errors().check("wgpuDeviceCreateBindGroup");
            } catch (DeviceException e) {
                WgpuNative.wgpuBindGroupRelease(handle); // a failed call returns a handle too
                throw e;
            }
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
