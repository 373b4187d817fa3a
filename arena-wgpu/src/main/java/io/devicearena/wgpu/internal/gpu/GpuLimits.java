package io.devicearena.wgpu.internal.gpu;

/** Limits that hold on every device. Threads: static and stateless. */
public final class GpuLimits {
    /**
     * Where a binding may begin on every device, in bytes: the largest alignment that WebGPU lets a device ask for
     * (section 3.6.2, minStorageBufferOffsetAlignment and minUniformBufferOffsetAlignment).
     */
    public static final long MAX_BINDING_ALIGNMENT = 256;

    /** What the library allows, whatever the driver reports. */
    static final int MOST_BINDINGS_PER_GROUP = 1_000;

    private GpuLimits() {}
}
