package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.ffi.WGPUBindGroupDescriptor;
import io.devicearena.wgpu.ffi.WGPUBindGroupEntry;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Ranges of buffers that a kernel is bound to.
 *
 * <p>Threads: safe for any thread. Lifetime: that of the {@link Arena} it was created in, or until {@link #close}.
 */
public final class GpuBindGroup implements AutoCloseable {
    /** One binding. Threads: immutable. */
    public record Range(GpuBuffer buffer, long offset, long bytes) {
        /** So many bytes from an offset on, or those up to the end of the buffer. */
        public static Range upTo(GpuBuffer buffer, long offset, long most) {
            return new Range(buffer, offset, Math.min(most, buffer.bytes() - offset));
        }
    }

    private final MemorySegment handle;
    final long address;

    private GpuBindGroup(MemorySegment handle) {
        this.handle = handle;
        this.address = handle.address();
    }

    /**
     * Creates one of the groups of one of this backend's own kernels.
     *
     * @param owner releases the group when it is closed
     */
    public static GpuBindGroup create(
            GpuDevice device, GpuPipeline pipeline, int group, List<Range> ranges, Arena owner) {
        GpuBindGroup made = create(device, "device arena transfer", pipeline, group, ranges);
        MemorySegment _ = made.handle.reinterpret(owner, WgpuNative::wgpuBindGroupRelease);
        return made;
    }

    /**
     * Creates one of the groups of a kernel; {@link #close} frees it.
     *
     * @param label its name in tools of the device
     * @param ranges one for each binding of the group, in the order of the program
     * @throws io.devicearena.DeviceException if the library refuses the group
     */
    public static GpuBindGroup create(
            GpuDevice device, String label, GpuPipeline pipeline, int group, List<Range> ranges) {
        List<KernelBinding> bindings = pipeline.program().bindings(group);
        device.requireAlive();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment entries = WGPUBindGroupEntry.allocateArray(Math.max(ranges.size(), 1), call);
            for (int i = 0; i < ranges.size(); i++) {
                Range range = ranges.get(i);
                range.buffer().requireRange(range.offset(), range.bytes());
                MemorySegment entry = WGPUBindGroupEntry.asSlice(entries, i);
                WGPUBindGroupEntry.binding(entry, bindings.get(i).number());
                WGPUBindGroupEntry.buffer(entry, range.buffer().handle());
                WGPUBindGroupEntry.offset(entry, range.offset());
                WGPUBindGroupEntry.size(entry, range.bytes());
            }
            MemorySegment descriptor = call.allocate(WGPUBindGroupDescriptor.layout());
            NativeText.set(WGPUBindGroupDescriptor.label(descriptor), label, call);
            WGPUBindGroupDescriptor.layout(descriptor, pipeline.groupLayouts.get(group));
            WGPUBindGroupDescriptor.entryCount(descriptor, ranges.size());
            WGPUBindGroupDescriptor.entries(descriptor, entries);
            MemorySegment handle = WgpuNative.wgpuDeviceCreateBindGroup(device.handle(), descriptor);
            try {
                device.errors.check("wgpuDeviceCreateBindGroup");
            } catch (DeviceException e) {
                WgpuNative.wgpuBindGroupRelease(handle); // a failed call returns a handle too
                throw e;
            }
            return new GpuBindGroup(handle);
        }
    }

    /** Releases a group that no {@link Arena} owns, once; commands that were submitted keep what they use. */
    @Override
    public void close() {
        WgpuNative.wgpuBindGroupRelease(handle);
    }
}
