package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuLimits;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** The facts of an adapter. Threads: immutable. */
public final class AdapterFacts implements KernelFacts {
    private final GpuAdapter adapter;
    private final GpuLimits limits;
    private final OptionalDouble timestampPeriodNanos;
    private final Map<String, Object> values;

    private AdapterFacts(GpuAdapter adapter, OptionalDouble timestampPeriodNanos) {
        this.adapter = adapter;
        this.limits = adapter.limits();
        this.timestampPeriodNanos = timestampPeriodNanos;
        this.values = Collections.unmodifiableMap(byName());
    }

    /** The facts of an adapter that need no open device. */
    public static AdapterFacts of(GpuAdapter adapter) {
        return new AdapterFacts(adapter, OptionalDouble.empty());
    }

    /** All facts of an open device. */
    static AdapterFacts of(GpuDevice device) {
        return new AdapterFacts(
                device.adapter(),
                device.adapter().hasTimestamps()
                        ? OptionalDouble.of(device.timestampPeriodNanos())
                        : OptionalDouble.empty());
    }

    private Map<String, Object> byName() {
        Map<String, Object> named = new LinkedHashMap<>();
        named.put("backend", backend());
        named.put("deviceName", deviceName());
        named.put("driver", driver());
        named.put("bindingAlignmentBytes", bindingAlignmentBytes());
        named.put("uniformAlignmentBytes", uniformAlignmentBytes());
        named.put("maxBindingBytes", maxBindingBytes());
        named.put("maxUniformBytes", maxUniformBytes());
        named.put("maxBufferBytes", maxBufferBytes());
        named.put("maxWorkgroups", (long) maxWorkgroups());
        named.put("maxWorkgroupSizeX", (long) maxWorkgroupSizeX());
        named.put("maxWorkgroupSizeY", (long) maxWorkgroupSizeY());
        named.put("maxWorkgroupSizeZ", (long) maxWorkgroupSizeZ());
        named.put("maxWorkgroupInvocations", (long) maxWorkgroupInvocations());
        named.put("maxWorkgroupMemoryBytes", (long) maxWorkgroupMemoryBytes());
        named.put("maxStorageBindings", (long) maxStorageBindings());
        named.put("maxUniformBindings", (long) maxUniformBindings());
        named.put("maxBindGroups", (long) maxBindGroups());
        named.put("maxBindingsPerGroup", (long) maxBindingsPerGroup());
        named.put("hasSubgroups", hasSubgroups());
        named.put("minSubgroupSize", (long) minSubgroupSize());
        named.put("maxSubgroupSize", (long) maxSubgroupSize());
        named.put("hasShaderF16", hasShaderF16());
        named.put("hasResultBuffers", hasResultBuffers());
        named.put("hasTimestamps", hasTimestamps());
        timestampPeriodNanos.ifPresent(nanos -> named.put("timestampPeriodNanos", nanos));
        return named;
    }

    @Override
    public String backend() {
        return adapter.backend();
    }

    @Override
    public String deviceName() {
        return adapter.name();
    }

    @Override
    public String driver() {
        return adapter.driver();
    }

    @Override
    public long bindingAlignmentBytes() {
        return limits.storageAlignment();
    }

    @Override
    public long uniformAlignmentBytes() {
        return limits.uniformAlignment();
    }

    @Override
    public long maxBindingBytes() {
        return limits.maxBindingBytes();
    }

    @Override
    public long maxUniformBytes() {
        return limits.maxUniformBytes();
    }

    @Override
    public long maxBufferBytes() {
        return limits.maxBufferBytes();
    }

    @Override
    public int maxWorkgroups() {
        return limits.maxWorkgroups();
    }

    @Override
    public int maxWorkgroupSizeX() {
        return limits.maxWorkgroupSizeX();
    }

    @Override
    public int maxWorkgroupSizeY() {
        return limits.maxWorkgroupSizeY();
    }

    @Override
    public int maxWorkgroupSizeZ() {
        return limits.maxWorkgroupSizeZ();
    }

    @Override
    public int maxWorkgroupInvocations() {
        return limits.maxWorkgroupInvocations();
    }

    @Override
    public int maxWorkgroupMemoryBytes() {
        return limits.maxWorkgroupStorageBytes();
    }

    @Override
    public int maxStorageBindings() {
        return limits.maxStorageBuffers();
    }

    @Override
    public int maxUniformBindings() {
        return limits.maxUniformBuffers();
    }

    @Override
    public int maxBindGroups() {
        return limits.maxBindGroups();
    }

    @Override
    public int maxBindingsPerGroup() {
        return limits.maxBindingsPerGroup();
    }

    @Override
    public boolean hasSubgroups() {
        return adapter.hasSubgroups();
    }

    @Override
    public int minSubgroupSize() {
        return adapter.minSubgroupSize();
    }

    @Override
    public int maxSubgroupSize() {
        return adapter.maxSubgroupSize();
    }

    @Override
    public boolean hasShaderF16() {
        return adapter.hasShaderF16();
    }

    @Override
    public boolean hasResultBuffers() {
        return adapter.supportsMappablePrimaryBuffers();
    }

    @Override
    public boolean hasTimestamps() {
        return adapter.hasTimestamps();
    }

    @Override
    public OptionalDouble timestampPeriodNanos() {
        return timestampPeriodNanos;
    }

    @Override
    public Map<String, Object> values() {
        return values;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
