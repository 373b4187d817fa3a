package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.DeviceKind;
import io.devicearena.wgpu.ffi.WGPUAdapterInfo;
import io.devicearena.wgpu.ffi.WGPULimits;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A device that the library found. It stays listed as long as its {@link GpuInstance} is open.
 *
 * <p>Threads: immutable.
 */
public final class GpuAdapter {
    private static final int NVIDIA = 0x10de;
    private static final int NVIDIA_WARP = 32;

    private final MemorySegment handle;
    /** The library's struct, which a request for a device passes back. */
    private final MemorySegment nativeLimits;

    private final String name;
    private final String driver;
    private final String backend;
    private final DeviceKind kind;
    private final int vendorId;
    private final int deviceId;
    private final GpuLimits limits;
    private final boolean shaderF16;
    private final boolean timestamps;
    private final boolean supportsMappablePrimaryBuffers;
    private final boolean subgroups;
    private final int minSubgroupSize;
    private final int maxSubgroupSize;
    private final boolean subgroupBarrier;

    /** Takes over a handle, and releases it when the instance is closed. */
    GpuAdapter(MemorySegment handle, Arena instance) {
        this.handle = handle.reinterpret(instance, WgpuNative::wgpuAdapterRelease);
        this.nativeLimits = instance.allocate(WGPULimits.layout());
        requireSuccess("wgpuAdapterGetLimits", WgpuNative.wgpuAdapterGetLimits(handle, nativeLimits));
        this.limits = GpuLimits.of(nativeLimits);
        this.shaderF16 = has(WgpuNative.WGPUFeatureName_ShaderF16());
        this.timestamps = has(WgpuNative.WGPUFeatureName_TimestampQuery());
        this.supportsMappablePrimaryBuffers = has(WgpuNative.WGPUNativeFeature_MappablePrimaryBuffers());
        this.subgroups = has(WgpuNative.WGPUNativeFeature_Subgroup());
        this.subgroupBarrier = has(WgpuNative.WGPUNativeFeature_SubgroupBarrier());
        try (Arena call = Arena.ofConfined()) {
            MemorySegment info = call.allocate(WGPUAdapterInfo.layout());
            requireSuccess("wgpuAdapterGetInfo", WgpuNative.wgpuAdapterGetInfo(handle, info));
            this.name = NativeText.of(WGPUAdapterInfo.device(info));
            this.driver = NativeText.of(WGPUAdapterInfo.description(info));
            this.backend = backendName(WGPUAdapterInfo.backendType(info));
            this.kind = kindOf(WGPUAdapterInfo.adapterType(info));
            this.vendorId = WGPUAdapterInfo.vendorID(info);
            this.deviceId = WGPUAdapterInfo.deviceID(info);
            this.minSubgroupSize = subgroups ? subgroupSize(WGPUAdapterInfo.subgroupMinSize(info), vendorId) : 0;
            this.maxSubgroupSize = subgroups ? subgroupSize(WGPUAdapterInfo.subgroupMaxSize(info), vendorId) : 0;
            WgpuNative.wgpuAdapterInfoFreeMembers(info);
        }
    }

    /**
     * The library reports no sizes for NVIDIA's driver. All its GPUs have warps of 32 threads (CUDA C++ Programming
     * Guide, "SIMT Architecture").
     */
    static int subgroupSize(int reported, int vendorId) {
        return reported == 0 && vendorId == NVIDIA ? NVIDIA_WARP : reported;
    }

    private static void requireSuccess(String call, int status) {
        if (status != WgpuNative.WGPUStatus_Success()) {
            throw new DeviceException(call + " failed with status " + status);
        }
    }

    private boolean has(int feature) {
        return WgpuNative.wgpuAdapterHasFeature(handle, feature) != 0;
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
        // an adapter of unknown type that is not a processor is a GPU, for example of a virtual machine
        return type == WgpuNative.WGPUAdapterType_CPU() ? DeviceKind.EMULATED_GPU : DeviceKind.INTEGRATED_GPU;
    }

    MemorySegment handle() {
        return handle;
    }

    MemorySegment nativeLimits() {
        return nativeLimits;
    }

    /** The driver's name of the device. */
    public String name() {
        return name;
    }

    /** The driver's description of itself; may be empty. */
    public String driver() {
        return driver;
    }

    /** The graphics API below the library: vulkan, metal, dx12 or gl. */
    public String backend() {
        return backend;
    }

    /** The kind of device. */
    public DeviceKind kind() {
        return kind;
    }

    /** The PCI number of the maker; 0 where the driver has none. */
    public int vendorId() {
        return vendorId;
    }

    /** The maker's PCI number of the model; 0 where the driver has none. */
    public int deviceId() {
        return deviceId;
    }

    /** The limits of the device. */
    public GpuLimits limits() {
        return limits;
    }

    /** Whether shaders can compute with f16. */
    public boolean hasShaderF16() {
        return shaderF16;
    }

    /** Whether kernels can bind buffers that the host maps (wgpu feature MappablePrimaryBuffers). */
    public boolean supportsMappablePrimaryBuffers() {
        return supportsMappablePrimaryBuffers;
    }

    /** Whether compute shaders can use subgroup operations. */
    public boolean hasSubgroups() {
        return subgroups;
    }

    /** The fewest invocations of a subgroup; 0 without subgroups, or where the driver does not report it. */
    public int minSubgroupSize() {
        return minSubgroupSize;
    }

    /** The most invocations of a subgroup; 0 without subgroups, or where the driver does not report it. */
    public int maxSubgroupSize() {
        return maxSubgroupSize;
    }

    /** Whether compute shaders can call subgroupBarrier. */
    boolean hasSubgroupBarrier() {
        return subgroupBarrier;
    }

    /** Whether passes can record timestamps. */
    public boolean hasTimestamps() {
        return timestamps;
    }
}
