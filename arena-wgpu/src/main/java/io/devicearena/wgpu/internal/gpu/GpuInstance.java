package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUChainedStruct;
import io.devicearena.wgpu.ffi.WGPUInstanceDescriptor;
import io.devicearena.wgpu.ffi.WGPUInstanceEnumerateAdapterOptions;
import io.devicearena.wgpu.ffi.WGPUInstanceExtras;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The library's root object, and the adapters it found. One lives in a process, from the first use to the end. Threads:
 * immutable.
 */
public final class GpuInstance {
    private final MemorySegment handle;
    private final List<GpuAdapter> adapters;

    private GpuInstance(MemorySegment handle, List<GpuAdapter> adapters) {
        this.handle = handle;
        this.adapters = List.copyOf(adapters);
    }

    /**
     * Starts the library, which must be loaded, and lists the adapters.
     *
     * @param backends whose devices are listed
     * @throws DeviceException if the library makes no instance
     */
    public static GpuInstance create(GpuBackends backends) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment extras = call.allocate(WGPUInstanceExtras.layout());
            WGPUChainedStruct.sType(WGPUInstanceExtras.chain(extras), WgpuNative.WGPUSType_InstanceExtras());
            WGPUInstanceExtras.backends(extras, backends.flags());
            MemorySegment descriptor = call.allocate(WGPUInstanceDescriptor.layout());
            WGPUInstanceDescriptor.nextInChain(descriptor, extras);
            MemorySegment handle = WgpuNative.wgpuCreateInstance(descriptor);
            if (handle.address() == 0) {
                throw new DeviceException("wgpuCreateInstance: expected an instance, got none");
            }
            return new GpuInstance(handle, adaptersOf(handle, backends, call));
        }
    }

    private static List<GpuAdapter> adaptersOf(MemorySegment handle, GpuBackends backends, Arena call) {
        MemorySegment options = call.allocate(WGPUInstanceEnumerateAdapterOptions.layout());
        WGPUInstanceEnumerateAdapterOptions.backends(options, backends.flags());
        long count = WgpuNative.wgpuInstanceEnumerateAdapters(handle, options, MemorySegment.NULL);
        MemorySegment found = call.allocate(ValueLayout.ADDRESS, Math.max(count, 1));
        count = Math.min(count, WgpuNative.wgpuInstanceEnumerateAdapters(handle, options, found));
        List<GpuAdapter> adapters = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            adapters.add(new GpuAdapter(found.getAtIndex(ValueLayout.ADDRESS, i)));
        }
        return adapters;
    }

    /** The library's handle, for engines with bindings of their own. */
    public MemorySegment handle() {
        return handle;
    }

    /** The devices that can be opened, in the order that the library lists them. */
    public List<GpuAdapter> adapters() {
        return adapters;
    }
}
