package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.AddressSpace;

import io.devicearena.DeviceKind;
import io.devicearena.wgpu.ffi.WGPUAdapterInfo;
import io.devicearena.wgpu.ffi.WGPULimits;
import io.devicearena.wgpu.ffi.WGPUStringView;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A device that the library found, not yet in use. It stays listed until the process ends. Threads: immutable. */
public final class GpuAdapter {
    private final MemorySegment handle;
    /** The library's own struct, which a device is asked for with. */
    private final MemorySegment nativeLimits;

    private final String name;
    private final String driver;
    private final String backend;
    private final DeviceKind kind;
    private final GpuLimits limits;
    private final boolean shaderF16;
    private final boolean timestamps;
    private final boolean bindsStaging;

    GpuAdapter(MemorySegment handle) {
        this.handle = handle;
        this.nativeLimits = AddressSpace.FOREVER.allocate(WGPULimits.layout());
        WgpuNative.wgpuAdapterGetLimits(handle, nativeLimits);
        this.limits = GpuLimits.of(nativeLimits);
        this.shaderF16 = has(WgpuNative.WGPUFeatureName_ShaderF16());
        this.timestamps = has(WgpuNative.WGPUFeatureName_TimestampQuery());
        this.bindsStaging = has(WgpuNative.WGPUNativeFeature_MappablePrimaryBuffers());
        try (Arena call = Arena.ofConfined()) {
            MemorySegment info = call.allocate(WGPUAdapterInfo.layout());
            WgpuNative.wgpuAdapterGetInfo(handle, info);
            this.name = text(WGPUAdapterInfo.device(info));
            this.driver = text(WGPUAdapterInfo.description(info));
            this.backend = backendName(WGPUAdapterInfo.backendType(info));
            this.kind = kindOf(WGPUAdapterInfo.adapterType(info));
            WgpuNative.wgpuAdapterInfoFreeMembers(info);
        }
    }

    private boolean has(int feature) {
        return WgpuNative.wgpuAdapterHasFeature(handle, feature) != 0;
    }

    private static String text(MemorySegment view) {
        return AddressSpace.text(WGPUStringView.data(view).address(), WGPUStringView.length(view));
    }

    private static String backendName(int type) {
        if (type == WgpuNative.WGPUBackendType_Vulkan()) {
            return "vulkan";
        }
        if (type == WgpuNative.WGPUBackendType_Metal()) {
            return "metal";
        }
        if (type == WgpuNative.WGPUBackendType_D3D12()) {
            return "dx12";
        }
        return type == WgpuNative.WGPUBackendType_OpenGL() || type == WgpuNative.WGPUBackendType_OpenGLES()
                ? "gl"
                : "backend " + type;
    }

    private static DeviceKind kindOf(int type) {
        if (type == WgpuNative.WGPUAdapterType_DiscreteGPU()) {
            return DeviceKind.DISCRETE_GPU;
        }
        // what is neither a processor nor of a known sort is a GPU of some sort, of a virtual machine for example
        return type == WgpuNative.WGPUAdapterType_CPU() ? DeviceKind.EMULATED_GPU : DeviceKind.INTEGRATED_GPU;
    }

    MemorySegment handle() {
        return handle;
    }

    MemorySegment nativeLimits() {
        return nativeLimits;
    }

    /** What the driver calls the device. */
    public String name() {
        return name;
    }

    /** What the driver says of itself; may be empty. */
    public String driver() {
        return driver;
    }

    /** The interface under the library: vulkan, metal, dx12 or gl. */
    public String backend() {
        return backend;
    }

    /** What sort of device it is. */
    public DeviceKind kind() {
        return kind;
    }

    /** What it allows. */
    public GpuLimits limits() {
        return limits;
    }

    /** Whether shaders may use f16. */
    public boolean hasShaderF16() {
        return shaderF16;
    }

    /** Whether kernels can write to memory that the host maps. */
    public boolean bindsStaging() {
        return bindsStaging;
    }

    /** Whether it can write the time into a query. */
    public boolean hasTimestamps() {
        return timestamps;
    }
}
