package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUChainedStruct;
import io.devicearena.wgpu.ffi.WGPUInstanceDescriptor;
import io.devicearena.wgpu.ffi.WGPUInstanceEnumerateAdapterOptions;
import io.devicearena.wgpu.ffi.WGPUInstanceExtras;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.logging.NativeLog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The library's root object, and the adapters that it found.
 *
 * <p>Threads: immutable. Lifetime: until {@link #close}. The provider keeps one instance until the process ends, since
 * to unload a GPU driver while its own threads run can crash the process.
 */
public final class GpuInstance implements AutoCloseable {
    private final Arena memory;
    private final MemorySegment handle;
    private final List<GpuAdapter> adapters;

    private GpuInstance(Arena memory, MemorySegment handle, List<GpuAdapter> adapters) {
        this.memory = memory;
        this.handle = handle;
        this.adapters = List.copyOf(adapters);
    }

    /**
     * Starts the library, which must be loaded, and lists the adapters.
     *
     * @param backends the graphics APIs whose devices are listed
     * @throws DeviceException if the library creates no instance
     */
    public static GpuInstance create(GpuBackends backends) {
        NativeLog.connect();
        Arena memory = Arena.ofShared();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment extras = call.allocate(WGPUInstanceExtras.layout());
            WGPUChainedStruct.sType(WGPUInstanceExtras.chain(extras), WgpuNative.WGPUSType_InstanceExtras());
            WGPUInstanceExtras.backends(extras, backends.flags());
            MemorySegment descriptor = call.allocate(WGPUInstanceDescriptor.layout());
            WGPUInstanceDescriptor.nextInChain(descriptor, extras);
            MemorySegment handle = WgpuNative.wgpuCreateInstance(descriptor);
            if (handle.address() == 0) {
                throw new DeviceException("wgpuCreateInstance returned no instance");
            }
            MemorySegment owned = handle.reinterpret(memory, WgpuNative::wgpuInstanceRelease);
            return new GpuInstance(memory, owned, adaptersOf(owned, backends, call, memory));
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    private static List<GpuAdapter> adaptersOf(MemorySegment handle, GpuBackends backends, Arena call, Arena memory) {
        MemorySegment options = call.allocate(WGPUInstanceEnumerateAdapterOptions.layout());
        WGPUInstanceEnumerateAdapterOptions.backends(options, backends.flags());
        long count = WgpuNative.wgpuInstanceEnumerateAdapters(handle, options, MemorySegment.NULL);
        MemorySegment found = call.allocate(ValueLayout.ADDRESS, Math.max(count, 1));
        count = Math.min(count, WgpuNative.wgpuInstanceEnumerateAdapters(handle, options, found));
        List<GpuAdapter> adapters = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            adapters.add(new GpuAdapter(found.getAtIndex(ValueLayout.ADDRESS, i), memory));
        }
        return adapters;
    }

    /** The library's handle. */
    public MemorySegment handle() {
        return handle;
    }

    /** The devices that can be opened, in the order of the library. */
    public List<GpuAdapter> adapters() {
        return adapters;
    }

    /** Releases the adapters and the instance; no device of them may be open. */
    @Override
    public void close() {
        memory.close();
    }
}
