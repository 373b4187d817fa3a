package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WGPULimits;
import java.lang.foreign.MemorySegment;

/**
 * The limits of an adapter that this backend is bound by; sizes in bytes. Threads: immutable.
 *
 * @param maxBufferBytes the largest buffer
 * @param maxBindingBytes the longest range of a storage buffer that one binding covers
 * @param storageAlignment what offsets of storage bindings are multiples of
 * @param uniformAlignment what offsets of uniform bindings are multiples of
 * @param maxStorageBuffers storage bindings that one shader has at most
 * @param maxBindGroups bind groups that one pipeline has at most
 * @param maxWorkgroups workgroups of one dispatch along each axis
 * @param maxWorkgroupInvocations invocations of one workgroup
 * @param maxWorkgroupStorageBytes memory that the invocations of one workgroup share
 */
public record GpuLimits(
        long maxBufferBytes,
        long maxBindingBytes,
        long storageAlignment,
        long uniformAlignment,
        int maxStorageBuffers,
        int maxBindGroups,
        int maxWorkgroups,
        int maxWorkgroupInvocations,
        int maxWorkgroupStorageBytes) {

    static GpuLimits of(MemorySegment limits) {
        return new GpuLimits(
                WGPULimits.maxBufferSize(limits),
                WGPULimits.maxStorageBufferBindingSize(limits),
                WGPULimits.minStorageBufferOffsetAlignment(limits),
                WGPULimits.minUniformBufferOffsetAlignment(limits),
                WGPULimits.maxStorageBuffersPerShaderStage(limits),
                WGPULimits.maxBindGroups(limits),
                WGPULimits.maxComputeWorkgroupsPerDimension(limits),
                WGPULimits.maxComputeInvocationsPerWorkgroup(limits),
                WGPULimits.maxComputeWorkgroupStorageSize(limits));
    }
}
