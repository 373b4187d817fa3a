package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WGPULimits;
import java.lang.foreign.MemorySegment;

/**
 * The limits of an adapter that matter to this backend. Threads: immutable.
 *
 * @param maxBufferBytes the largest buffer, in bytes
 * @param maxBindingBytes the longest range of a storage buffer that one binding covers, in bytes
 * @param maxUniformBytes the longest range of a uniform buffer that one binding covers, in bytes
 * @param storageAlignment the unit of the offsets of storage bindings, in bytes, a power of two
 * @param uniformAlignment the unit of the offsets of uniform bindings, in bytes, a power of two
 * @param maxStorageBuffers the most storage bindings of one shader
 * @param maxUniformBuffers the most uniform bindings of one shader
 * @param maxBindGroups the most bind groups of one pipeline
 * @param maxBindingsPerGroup the most bindings of one bind group
 * @param maxWorkgroups the most workgroups of one dispatch along each axis
 * @param maxWorkgroupSizeX the most invocations of one workgroup along x
 * @param maxWorkgroupSizeY the most along y
 * @param maxWorkgroupSizeZ the most along z
 * @param maxWorkgroupInvocations the most invocations of one workgroup
 * @param maxWorkgroupStorageBytes the most memory that the invocations of one workgroup share, in bytes
 */
public record GpuLimits(
        long maxBufferBytes,
        long maxBindingBytes,
        long maxUniformBytes,
        long storageAlignment,
        long uniformAlignment,
        int maxStorageBuffers,
        int maxUniformBuffers,
        int maxBindGroups,
        int maxBindingsPerGroup,
        int maxWorkgroups,
        int maxWorkgroupSizeX,
        int maxWorkgroupSizeY,
        int maxWorkgroupSizeZ,
        int maxWorkgroupInvocations,
        int maxWorkgroupStorageBytes) {
    /**
     * Where a binding may begin on every device, in bytes: the largest alignment that WebGPU lets a device ask for
     * (section 3.6.2, minStorageBufferOffsetAlignment and minUniformBufferOffsetAlignment).
     */
    public static final long MAX_BINDING_ALIGNMENT = 256;

    /** What the library allows, whatever the driver reports. */
    private static final int MOST_BINDINGS_PER_GROUP = 1_000;

    static GpuLimits of(MemorySegment limits) {
        return new GpuLimits(
                WGPULimits.maxBufferSize(limits),
                WGPULimits.maxStorageBufferBindingSize(limits),
                WGPULimits.maxUniformBufferBindingSize(limits),
                WGPULimits.minStorageBufferOffsetAlignment(limits),
                WGPULimits.minUniformBufferOffsetAlignment(limits),
                atMostInt(WGPULimits.maxStorageBuffersPerShaderStage(limits)),
                atMostInt(WGPULimits.maxUniformBuffersPerShaderStage(limits)),
                atMostInt(WGPULimits.maxBindGroups(limits)),
                Math.min(MOST_BINDINGS_PER_GROUP, atMostInt(WGPULimits.maxBindingsPerBindGroup(limits))),
                atMostInt(WGPULimits.maxComputeWorkgroupsPerDimension(limits)),
                atMostInt(WGPULimits.maxComputeWorkgroupSizeX(limits)),
                atMostInt(WGPULimits.maxComputeWorkgroupSizeY(limits)),
                atMostInt(WGPULimits.maxComputeWorkgroupSizeZ(limits)),
                atMostInt(WGPULimits.maxComputeInvocationsPerWorkgroup(limits)),
                atMostInt(WGPULimits.maxComputeWorkgroupStorageSize(limits)));
    }

    /** The bytes of windows that bindings of a buffer have, side by side: where one ends another one may begin. */
    public long windowBytes() {
        return maxBindingBytes & -MAX_BINDING_ALIGNMENT;
    }

    /** Drivers report unlimited counts as the largest number of 32 bits without sign. */
    private static int atMostInt(int unsigned) {
        return unsigned < 0 ? Integer.MAX_VALUE : unsigned;
    }
}
