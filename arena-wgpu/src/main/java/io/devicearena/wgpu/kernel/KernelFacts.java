package io.devicearena.wgpu.kernel;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a device offers to kernels: its limits and its optional features. A dispatch or a kernel beyond a limit is
 * refused before the device sees it.
 *
 * <p>The facts of a device are known before an arena is open: {@link io.devicearena.wgpu.WgpuDevices#facts}. Those of
 * an open arena are {@link Kernels#facts}.
 *
 * <p>Each fact has a name, that of its method: {@link #value} and {@link #values}. {@code ./arena providers --facts}
 * prints them. A name keeps its meaning and unit.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> WebGPU, section 3.6.2, whose names for the limits stand in parentheses.
 */
public interface KernelFacts {
    /**
     * The graphics API below wgpu-native.
     *
     * @return {@code vulkan}, {@code metal}, {@code dx12} or {@code gl}
     */
    String backend();

    /**
     * The name that the driver gives the device.
     *
     * @return the name
     */
    String deviceName();

    /**
     * The driver's name and version, in its own form.
     *
     * @return the text; empty if the driver gives none
     */
    String driver();

    /**
     * The unit of the offsets of windows and storage bindings (minStorageBufferOffsetAlignment). In a plan with this
     * alignment, each value is at the start of its own window.
     *
     * @return bytes, a power of two, at most 256
     */
    long bindingAlignmentBytes();

    /**
     * The unit of the offsets of uniform bindings (minUniformBufferOffsetAlignment).
     *
     * @return bytes, a power of two, at most 256
     */
    long uniformAlignmentBytes();

    /**
     * The longest window or other storage binding (maxStorageBufferBindingSize).
     *
     * @return bytes
     */
    long maxBindingBytes();

    /**
     * The longest uniform binding (maxUniformBufferBindingSize). {@link Kernels#uniform} takes at most 65,536 bytes; a
     * {@link KernelBuffer} may be longer.
     *
     * @return bytes, 65,536 or more on a device that conforms to WebGPU
     */
    long maxUniformBytes();

    /**
     * The largest buffer (maxBufferSize): of a segment of an arena, and of {@link Kernels#buffer}.
     *
     * @return bytes
     */
    long maxBufferBytes();

    /**
     * The most workgroups of a dispatch along each axis (maxComputeWorkgroupsPerDimension).
     *
     * @return the limit, 65,535 or more on a device that conforms to WebGPU
     */
    int maxWorkgroups();

    /**
     * The most invocations of a workgroup along x (maxComputeWorkgroupSizeX).
     *
     * @return the limit
     */
    int maxWorkgroupSizeX();

    /**
     * The most invocations of a workgroup along y (maxComputeWorkgroupSizeY).
     *
     * @return the limit
     */
    int maxWorkgroupSizeY();

    /**
     * The most invocations of a workgroup along z (maxComputeWorkgroupSizeZ).
     *
     * @return the limit
     */
    int maxWorkgroupSizeZ();

    /**
     * The most invocations of a workgroup: the product of its three sizes (maxComputeInvocationsPerWorkgroup).
     *
     * @return the limit
     */
    int maxWorkgroupInvocations();

    /**
     * The most {@code var<workgroup>} memory of a kernel (maxComputeWorkgroupStorageSize).
     *
     * @return bytes
     */
    int maxWorkgroupMemoryBytes();

    /**
     * The most {@code var<storage>} bindings of a kernel (maxStorageBuffersPerShaderStage).
     *
     * @return the limit
     */
    int maxStorageBindings();

    /**
     * The most {@code var<uniform>} bindings of a kernel (maxUniformBuffersPerShaderStage).
     *
     * @return the limit
     */
    int maxUniformBindings();

    /**
     * The most groups of bindings of a kernel (maxBindGroups). Groups are numbered from 0.
     *
     * @return the limit
     */
    int maxBindGroups();

    /**
     * The most bindings of one group, and one more than the highest number of a binding (maxBindingsPerBindGroup).
     *
     * @return the limit
     */
    int maxBindingsPerGroup();

    /**
     * Whether kernels can use subgroup operations. The sizes of subgroups are from {@link #minSubgroupSize} to
     * {@link #maxSubgroupSize}; a kernel sees its own as {@code @builtin(subgroup_size)}.
     *
     * @return true if the device has them
     */
    boolean hasSubgroups();

    /**
     * The fewest invocations of a subgroup.
     *
     * @return a power of two; 0 if the device has no subgroups, or its driver does not report their sizes
     */
    int minSubgroupSize();

    /**
     * The most invocations of a subgroup.
     *
     * @return a power of two; 0 if the device has no subgroups, or its driver does not report their sizes
     */
    int maxSubgroupSize();

    /**
     * Whether kernels can use {@code enable f16}.
     *
     * @return true if the device computes with f16
     */
    boolean hasShaderF16();

    /**
     * Whether {@link Kernels#resultBuffer} is supported: kernels write to host memory.
     *
     * @return true if the device has mappable primary buffers
     */
    boolean hasResultBuffers();

    /**
     * Whether {@link KernelProgram#time} is supported.
     *
     * @return true if the device has timestamps
     */
    boolean hasTimestamps();

    /**
     * The resolution of {@link KernelProgram#time}. Only an open device reports it.
     *
     * @return nanoseconds; empty if the device has no timestamps, or the facts are those of
     *     {@link io.devicearena.wgpu.WgpuDevices#facts}
     */
    OptionalDouble timestampPeriodNanos();

    /**
     * Returns a fact by its name, the name of its method.
     *
     * @param name the name, for example {@code maxWorkgroupMemoryBytes}
     * @return a {@link Long}, {@link Double}, {@link Boolean} or {@link String}; empty if no fact has the name, or this
     *     one is not known
     */
    default Optional<Object> value(String name) {
        return Optional.ofNullable(values().get(name));
    }

    /**
     * Returns all known facts by name.
     *
     * @return each a {@link Long}, {@link Double}, {@link Boolean} or {@link String}, in the order of the methods above
     */
    Map<String, Object> values();
}
