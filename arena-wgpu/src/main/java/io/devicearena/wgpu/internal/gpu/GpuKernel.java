package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUBindGroupLayoutDescriptor;
import io.devicearena.wgpu.ffi.WGPUBindGroupLayoutEntry;
import io.devicearena.wgpu.ffi.WGPUBufferBindingLayout;
import io.devicearena.wgpu.ffi.WGPUChainedStruct;
import io.devicearena.wgpu.ffi.WGPUComputePipelineDescriptor;
import io.devicearena.wgpu.ffi.WGPUComputeState;
import io.devicearena.wgpu.ffi.WGPUPipelineLayoutDescriptor;
import io.devicearena.wgpu.ffi.WGPUShaderModuleDescriptor;
import io.devicearena.wgpu.ffi.WGPUShaderSourceWGSL;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A compiled kernel of this backend's own: entry point {@code main}, one bind group, buffers alone.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}.
 */
public final class GpuKernel implements AutoCloseable {
    /** What a kernel does with a buffer. Threads: immutable. */
    public enum Access {
        READ,
        READ_WRITE,
        UNIFORM;

        int type() {
            return switch (this) {
                case READ -> WgpuNative.WGPUBufferBindingType_ReadOnlyStorage();
                case READ_WRITE -> WgpuNative.WGPUBufferBindingType_Storage();
                case UNIFORM -> WgpuNative.WGPUBufferBindingType_Uniform();
            };
        }
    }

    /**
     * One binding, at the place of its number in the list. Threads: immutable.
     *
     * @param dynamic whether each dispatch says where in the buffer the binding begins
     */
    public record Slot(Access access, boolean dynamic) {}

    private final MemorySegment module;
    private final MemorySegment groupLayout;
    private final MemorySegment layout;
    private final MemorySegment pipeline;

    private GpuKernel(MemorySegment module, MemorySegment groupLayout, MemorySegment layout, MemorySegment pipeline) {
        this.module = module;
        this.groupLayout = groupLayout;
        this.layout = layout;
        this.pipeline = pipeline;
    }

    /**
     * Compiles a kernel.
     *
     * @throws DeviceException if the source is wrong; the message is the compiler's
     */
    public static GpuKernel compile(GpuDevice device, String label, String wgsl, List<Slot> slots) {
        device.requireAlive();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment module = module(device, label, wgsl, call);
            device.errors().check("wgpuDeviceCreateShaderModule of '" + label + "'");
            MemorySegment groupLayout = groupLayout(device, slots, call);
            MemorySegment layout = pipelineLayout(device, groupLayout, call);
            device.errors().check("wgpuDeviceCreatePipelineLayout of '" + label + "'");
            MemorySegment pipeline = pipeline(device, label, module, layout, call);
            device.errors().check("wgpuDeviceCreateComputePipeline of '" + label + "'");
            return new GpuKernel(module, groupLayout, layout, pipeline);
        }
    }

    private static MemorySegment module(GpuDevice device, String label, String wgsl, Arena call) {
        MemorySegment source = call.allocate(WGPUShaderSourceWGSL.layout());
        WGPUChainedStruct.sType(WGPUShaderSourceWGSL.chain(source), WgpuNative.WGPUSType_ShaderSourceWGSL());
        Strings.set(WGPUShaderSourceWGSL.code(source), wgsl, call);
        MemorySegment descriptor = call.allocate(WGPUShaderModuleDescriptor.layout());
        WGPUShaderModuleDescriptor.nextInChain(descriptor, source);
        Strings.set(WGPUShaderModuleDescriptor.label(descriptor), label, call);
        return WgpuNative.wgpuDeviceCreateShaderModule(device.segment(), descriptor);
    }

    private static MemorySegment groupLayout(GpuDevice device, List<Slot> slots, Arena call) {
        MemorySegment entries = WGPUBindGroupLayoutEntry.allocateArray(slots.size(), call);
        for (int i = 0; i < slots.size(); i++) {
            MemorySegment entry = WGPUBindGroupLayoutEntry.asSlice(entries, i);
            WGPUBindGroupLayoutEntry.binding(entry, i);
            WGPUBindGroupLayoutEntry.visibility(entry, WgpuNative.WGPUShaderStage_Compute());
            MemorySegment buffer = WGPUBindGroupLayoutEntry.buffer(entry);
            WGPUBufferBindingLayout.type(buffer, slots.get(i).access().type());
            WGPUBufferBindingLayout.hasDynamicOffset(buffer, slots.get(i).dynamic() ? 1 : 0);
        }
        MemorySegment descriptor = call.allocate(WGPUBindGroupLayoutDescriptor.layout());
        WGPUBindGroupLayoutDescriptor.entryCount(descriptor, slots.size());
        WGPUBindGroupLayoutDescriptor.entries(descriptor, entries);
        return WgpuNative.wgpuDeviceCreateBindGroupLayout(device.segment(), descriptor);
    }

    private static MemorySegment pipelineLayout(GpuDevice device, MemorySegment groupLayout, Arena call) {
        MemorySegment groups = call.allocateFrom(ValueLayout.ADDRESS, groupLayout);
        MemorySegment descriptor = call.allocate(WGPUPipelineLayoutDescriptor.layout());
        WGPUPipelineLayoutDescriptor.bindGroupLayoutCount(descriptor, 1);
        WGPUPipelineLayoutDescriptor.bindGroupLayouts(descriptor, groups);
        return WgpuNative.wgpuDeviceCreatePipelineLayout(device.segment(), descriptor);
    }

    private static MemorySegment pipeline(
            GpuDevice device, String label, MemorySegment module, MemorySegment layout, Arena call) {
        MemorySegment descriptor = call.allocate(WGPUComputePipelineDescriptor.layout());
        Strings.set(WGPUComputePipelineDescriptor.label(descriptor), label, call);
        WGPUComputePipelineDescriptor.layout(descriptor, layout);
        MemorySegment stage = WGPUComputePipelineDescriptor.compute(descriptor);
        WGPUComputeState.module(stage, module);
        Strings.set(WGPUComputeState.entryPoint(stage), "main", call);
        return WgpuNative.wgpuDeviceCreateComputePipeline(device.segment(), descriptor);
    }

    MemorySegment groupLayout() {
        return groupLayout;
    }

    long pipelineAddress() {
        return pipeline.address();
    }

    @Override
    public void close() {
        WgpuNative.wgpuComputePipelineRelease(pipeline);
        WgpuNative.wgpuPipelineLayoutRelease(layout);
        WgpuNative.wgpuBindGroupLayoutRelease(groupLayout);
        WgpuNative.wgpuShaderModuleRelease(module);
    }
}
