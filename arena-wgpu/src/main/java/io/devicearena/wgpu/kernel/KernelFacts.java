package io.devicearena.wgpu.kernel;

import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a device offers to kernels: its limits and its optional features. A dispatch or a kernel beyond a limit is
 * refused before the device sees it.
 *
 * <p>The facts of a device are known before an arena is open: {@link io.devicearena.wgpu.WgpuDevices#facts}. Those of
 * an open arena are {@link Kernels#facts}.
 *
 * <p>Each fact has a name, that of its component: {@link #value} and {@link #values}. {@code ./arena providers --facts}
 * prints them. A name keeps its meaning and unit. A test of an engine may construct facts; a later version may have
 * more components.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> WebGPU, section 3.6.2, whose names for the limits stand in parentheses.
 *
 * @param backend the graphics API below wgpu-native: {@code vulkan}, {@code metal}, {@code dx12} or {@code gl}
 * @param deviceName the name that the driver gives the device
 * @param driver the driver's name and version, in its own form; empty if the driver gives none
 * @param bindingAlignmentBytes the unit of the offsets of windows and storage bindings, a power of two, at most 256
 *     (minStorageBufferOffsetAlignment). In a plan with this alignment, each value is at the start of its own window
 * @param uniformAlignmentBytes the unit of the offsets of uniform bindings, a power of two, at most 256
 *     (minUniformBufferOffsetAlignment)
 * @param maxBindingBytes the longest window or other storage binding (maxStorageBufferBindingSize)
 * @param maxUniformBytes the longest uniform binding, 65,536 or more on a device that conforms to WebGPU
 *     (maxUniformBufferBindingSize). {@link Kernels#uniform} takes at most 65,536 bytes; a {@link KernelBuffer} may be
 *     longer
 * @param maxBufferBytes the largest buffer, of a segment of an arena and of {@link Kernels#buffer} (maxBufferSize)
 * @param maxWorkgroups the most workgroups of a dispatch along each axis, 65,535 or more on a device that conforms to
 *     WebGPU (maxComputeWorkgroupsPerDimension)
 * @param maxWorkgroupSizeX the most invocations of a workgroup along x (maxComputeWorkgroupSizeX)
 * @param maxWorkgroupSizeY the most invocations of a workgroup along y (maxComputeWorkgroupSizeY)
 * @param maxWorkgroupSizeZ the most invocations of a workgroup along z (maxComputeWorkgroupSizeZ)
 * @param maxWorkgroupInvocations the most invocations of a workgroup: the product of its three sizes
 *     (maxComputeInvocationsPerWorkgroup)
 * @param maxWorkgroupMemoryBytes the most {@code var<workgroup>} memory of a kernel (maxComputeWorkgroupStorageSize)
 * @param maxStorageBindings the most {@code var<storage>} bindings of a kernel (maxStorageBuffersPerShaderStage)
 * @param maxUniformBindings the most {@code var<uniform>} bindings of a kernel (maxUniformBuffersPerShaderStage)
 * @param maxBindGroups the most groups of bindings of a kernel; groups are numbered from 0 (maxBindGroups)
 * @param maxBindingsPerGroup the most bindings of one group, and one more than the highest number of a binding
 *     (maxBindingsPerBindGroup)
 * @param hasSubgroups whether kernels can use subgroup operations; a kernel sees the size of its own subgroup as
 *     {@code @builtin(subgroup_size)}
 * @param minSubgroupSize the fewest invocations of a subgroup, a power of two; 0 if the device has no subgroups, or its
 *     driver does not report their sizes
 * @param maxSubgroupSize the most invocations of a subgroup, a power of two; 0 if the device has no subgroups, or its
 *     driver does not report their sizes
 * @param hasShaderF16 whether kernels can use {@code enable f16}
 * @param hasResultBuffers whether {@link Kernels#resultBuffer} is supported: kernels write to host memory
 * @param hasTimestamps whether {@link KernelProgram#time} is supported
 * @param timestampPeriodNanos the resolution of {@link KernelProgram#time} in nanoseconds, which only an open device
 *     reports; empty if the device has no timestamps, or the facts are those of
 *     {@link io.devicearena.wgpu.WgpuDevices#facts}
 */
public record KernelFacts(
        String backend,
        String deviceName,
        String driver,
        long bindingAlignmentBytes,
        long uniformAlignmentBytes,
        long maxBindingBytes,
        long maxUniformBytes,
        long maxBufferBytes,
        int maxWorkgroups,
        int maxWorkgroupSizeX,
        int maxWorkgroupSizeY,
        int maxWorkgroupSizeZ,
        int maxWorkgroupInvocations,
        int maxWorkgroupMemoryBytes,
        int maxStorageBindings,
        int maxUniformBindings,
        int maxBindGroups,
        int maxBindingsPerGroup,
        boolean hasSubgroups,
        int minSubgroupSize,
        int maxSubgroupSize,
        boolean hasShaderF16,
        boolean hasResultBuffers,
        boolean hasTimestamps,
        OptionalDouble timestampPeriodNanos) {
    /** Makes facts. */
    public KernelFacts {
        Objects.requireNonNull(backend, "backend");
        Objects.requireNonNull(deviceName, "deviceName");
        Objects.requireNonNull(driver, "driver");
        Objects.requireNonNull(timestampPeriodNanos, "timestampPeriodNanos");
    }

    /**
     * Returns a fact by its name, the name of its component.
     *
     * @param name the name, for example {@code maxWorkgroupMemoryBytes}
     * @return a {@link Long}, {@link Double}, {@link Boolean} or {@link String}; empty if no fact has the name, or this
     *     one is not known
     */
    public Optional<Object> value(String name) {
        return Optional.ofNullable(values().get(name));
    }

    /**
     * Returns all known facts by name.
     *
     * @return each a {@link Long}, {@link Double}, {@link Boolean} or {@link String}, in the order of the components
     */
    public Map<String, Object> values() {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("backend", backend);
        named.put("deviceName", deviceName);
        named.put("driver", driver);
        named.put("bindingAlignmentBytes", bindingAlignmentBytes);
        named.put("uniformAlignmentBytes", uniformAlignmentBytes);
        named.put("maxBindingBytes", maxBindingBytes);
        named.put("maxUniformBytes", maxUniformBytes);
        named.put("maxBufferBytes", maxBufferBytes);
        named.put("maxWorkgroups", (long) maxWorkgroups);
        named.put("maxWorkgroupSizeX", (long) maxWorkgroupSizeX);
        named.put("maxWorkgroupSizeY", (long) maxWorkgroupSizeY);
        named.put("maxWorkgroupSizeZ", (long) maxWorkgroupSizeZ);
        named.put("maxWorkgroupInvocations", (long) maxWorkgroupInvocations);
        named.put("maxWorkgroupMemoryBytes", (long) maxWorkgroupMemoryBytes);
        named.put("maxStorageBindings", (long) maxStorageBindings);
        named.put("maxUniformBindings", (long) maxUniformBindings);
        named.put("maxBindGroups", (long) maxBindGroups);
        named.put("maxBindingsPerGroup", (long) maxBindingsPerGroup);
        named.put("hasSubgroups", hasSubgroups);
        named.put("minSubgroupSize", (long) minSubgroupSize);
        named.put("maxSubgroupSize", (long) maxSubgroupSize);
        named.put("hasShaderF16", hasShaderF16);
        named.put("hasResultBuffers", hasResultBuffers);
        named.put("hasTimestamps", hasTimestamps);
        timestampPeriodNanos.ifPresent(nanos -> named.put("timestampPeriodNanos", nanos));
        return Collections.unmodifiableMap(named);
    }
}
