package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.DeviceKind;
import io.devicearena.wgpu.ffi.WGPUAdapterInfo;
import io.devicearena.wgpu.ffi.WGPULimits;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.NativeText;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;

/**
 * A device that the library found. It stays listed as long as its {@link GpuInstance} is open.
 *
 * <p>Threads: immutable.
 */
public final class GpuAdapter {
    private static final int NVIDIA = 0x10de;
    private static final int NVIDIA_WARP = 32;

    final MemorySegment handle;
    /** The library's struct, which a request for a device passes back. */
    final MemorySegment nativeLimits;

    /** The library's struct, with texts of the library. */
    private final MemorySegment info;

    private final DeviceKind kind;
    private final KernelFacts facts;

    /** Takes over a handle, and releases it when the instance is closed. */
    GpuAdapter(MemorySegment handle, Arena instance) {
        this.handle = handle.reinterpret(instance, WgpuNative::wgpuAdapterRelease);
        this.nativeLimits = instance.allocate(WGPULimits.layout());
        requireSuccess("wgpuAdapterGetLimits", WgpuNative.wgpuAdapterGetLimits(handle, nativeLimits));
        MemorySegment described = instance.allocate(WGPUAdapterInfo.layout());
        requireSuccess("wgpuAdapterGetInfo", WgpuNative.wgpuAdapterGetInfo(handle, described));
        this.info = described.reinterpret(instance, WgpuNative::wgpuAdapterInfoFreeMembers);
        this.kind = kindOf(WGPUAdapterInfo.adapterType(info));
        this.facts = facts(OptionalDouble.empty());
    }

    /**
     * Returns what the adapter offers, with a fact that only an open device reports.
     *
     * @param timestampPeriodNanos the length of a tick of its timestamps in nanoseconds
     */
    KernelFacts facts(OptionalDouble timestampPeriodNanos) {
        boolean subgroups = has(WgpuNative.WGPUNativeFeature_Subgroup());
        return new KernelFacts(
                backendName(WGPUAdapterInfo.backendType(info)),
                NativeText.of(WGPUAdapterInfo.device(info)),
                NativeText.of(WGPUAdapterInfo.description(info)),
                WGPULimits.minStorageBufferOffsetAlignment(nativeLimits),
                WGPULimits.minUniformBufferOffsetAlignment(nativeLimits),
                WGPULimits.maxStorageBufferBindingSize(nativeLimits),
                WGPULimits.maxUniformBufferBindingSize(nativeLimits),
                WGPULimits.maxBufferSize(nativeLimits),
                atMostInt(WGPULimits.maxComputeWorkgroupsPerDimension(nativeLimits)),
                atMostInt(WGPULimits.maxComputeWorkgroupSizeX(nativeLimits)),
                atMostInt(WGPULimits.maxComputeWorkgroupSizeY(nativeLimits)),
                atMostInt(WGPULimits.maxComputeWorkgroupSizeZ(nativeLimits)),
                atMostInt(WGPULimits.maxComputeInvocationsPerWorkgroup(nativeLimits)),
                atMostInt(WGPULimits.maxComputeWorkgroupStorageSize(nativeLimits)),
                atMostInt(WGPULimits.maxStorageBuffersPerShaderStage(nativeLimits)),
                atMostInt(WGPULimits.maxUniformBuffersPerShaderStage(nativeLimits)),
                atMostInt(WGPULimits.maxBindGroups(nativeLimits)),
                Math.min(
                        GpuLimits.MOST_BINDINGS_PER_GROUP, atMostInt(WGPULimits.maxBindingsPerBindGroup(nativeLimits))),
                subgroups,
                subgroups ? subgroupSize(WGPUAdapterInfo.subgroupMinSize(info), vendorId()) : 0,
                subgroups ? subgroupSize(WGPUAdapterInfo.subgroupMaxSize(info), vendorId()) : 0,
                has(WgpuNative.WGPUFeatureName_ShaderF16()),
                has(WgpuNative.WGPUNativeFeature_MappablePrimaryBuffers()),
                has(WgpuNative.WGPUFeatureName_TimestampQuery()),
                timestampPeriodNanos);
    }

    /** Drivers report unlimited counts as the largest number of 32 bits without sign. */
    private static int atMostInt(int unsigned) {
        return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
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

    /** Whether the adapter has a feature of the library. */
    boolean has(int feature) {
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

    /** The driver's name of the device. */
    public String name() {
        return facts.deviceName();
    }

    /** The kind of device. */
    public DeviceKind kind() {
        return kind;
    }

    /** Whether a processor does the work of the device. */
    public boolean isEmulated() {
        return kind == DeviceKind.EMULATED_GPU;
    }

    /** The PCI number of the maker; 0 where the driver has none. */
    public int vendorId() {
        return WGPUAdapterInfo.vendorID(info);
    }

    /** The maker's PCI number of the model; 0 where the driver has none. */
    public int deviceId() {
        return WGPUAdapterInfo.deviceID(info);
    }

    /** What the device offers to kernels, without the period of timestamps. */
    public KernelFacts facts() {
        return facts;
    }
}
