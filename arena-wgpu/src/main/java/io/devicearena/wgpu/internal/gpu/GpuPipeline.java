package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.NativeText;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUBindGroupLayoutDescriptor;
import io.devicearena.wgpu.ffi.WGPUBindGroupLayoutEntry;
import io.devicearena.wgpu.ffi.WGPUBufferBindingLayout;
import io.devicearena.wgpu.ffi.WGPUChainedStruct;
import io.devicearena.wgpu.ffi.WGPUComputePipelineDescriptor;
import io.devicearena.wgpu.ffi.WGPUComputeState;
import io.devicearena.wgpu.ffi.WGPUConstantEntry;
import io.devicearena.wgpu.ffi.WGPUPipelineLayoutDescriptor;
import io.devicearena.wgpu.ffi.WGPUShaderModuleDescriptor;
import io.devicearena.wgpu.ffi.WGPUShaderSourceWGSL;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A kernel: any entry point, any bind groups, buffers alone.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}.
 */
public final class GpuPipeline implements AutoCloseable {
    /**
     * One binding of a shader. Threads: immutable.
     *
     * @param dynamic whether each dispatch says where in the buffer the binding begins
     */
    public record Entry(int group, int binding, GpuKernel.Access access, boolean dynamic) {}

    /**
     * What to compile. Threads: immutable.
     *
     * @param constants values of override constants; a constant with an id goes by its number
     */
    public record Program(
            String label, String wgsl, String entryPoint, Map<String, Double> constants, List<Entry> entries) {}

    private final List<MemorySegment> groupLayouts;
    private final long address;
    /** What gives the native objects back, the last made first. */
    private final List<Runnable> releases;

    private GpuPipeline(List<MemorySegment> groupLayouts, MemorySegment handle, List<Runnable> releases) {
        this.groupLayouts = List.copyOf(groupLayouts);
        this.address = handle.address();
        this.releases = List.copyOf(releases);
    }

    /**
     * Compiles a kernel.
     *
     * @throws DeviceException if the device or the library does not take it; the message is the compiler's
     */
    public static GpuPipeline compile(GpuDevice device, Program program) {
        device.requireAlive();
        List<Runnable> releases = new ArrayList<>();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment module = module(device, program, call);
            releases.addFirst(() -> WgpuNative.wgpuShaderModuleRelease(module));
            device.errors().check("wgpuDeviceCreateShaderModule of '" + program.label() + "'");
            List<MemorySegment> layouts = new ArrayList<>();
            for (int group = 0; group < groups(program.entries()); group++) {
                MemorySegment layout = groupLayout(device, group, program.entries(), call);
                releases.addFirst(() -> WgpuNative.wgpuBindGroupLayoutRelease(layout));
                layouts.add(layout);
            }
            MemorySegment layout = pipelineLayout(device, layouts, call);
            releases.addFirst(() -> WgpuNative.wgpuPipelineLayoutRelease(layout));
            device.errors().check("wgpuDeviceCreatePipelineLayout of '" + program.label() + "'");
            MemorySegment pipeline = pipeline(device, program, module, layout, call);
            releases.addFirst(() -> WgpuNative.wgpuComputePipelineRelease(pipeline));
            device.errors().check("wgpuDeviceCreateComputePipeline of '" + program.label() + "'");
            return new GpuPipeline(layouts, pipeline, releases);
        } catch (DeviceException e) {
            releases.forEach(Runnable::run); // a failed call returns a handle too
            device.errors().drop();
            throw e;
        }
    }

    private static int groups(List<Entry> entries) {
        return entries.stream().mapToInt(Entry::group).max().orElse(-1) + 1;
    }

    private static MemorySegment module(GpuDevice device, Program program, Arena call) {
        MemorySegment source = call.allocate(WGPUShaderSourceWGSL.layout());
        WGPUChainedStruct.sType(WGPUShaderSourceWGSL.chain(source), WgpuNative.WGPUSType_ShaderSourceWGSL());
        NativeText.set(WGPUShaderSourceWGSL.code(source), program.wgsl(), call);
        MemorySegment descriptor = call.allocate(WGPUShaderModuleDescriptor.layout());
        WGPUShaderModuleDescriptor.nextInChain(descriptor, source);
        NativeText.set(WGPUShaderModuleDescriptor.label(descriptor), program.label(), call);
        return WgpuNative.wgpuDeviceCreateShaderModule(device.segment(), descriptor);
    }

    private static MemorySegment groupLayout(GpuDevice device, int group, List<Entry> all, Arena call) {
        List<Entry> own = all.stream().filter(entry -> entry.group() == group).toList();
        MemorySegment entries = WGPUBindGroupLayoutEntry.allocateArray(Math.max(own.size(), 1), call);
        for (int i = 0; i < own.size(); i++) {
            MemorySegment entry = WGPUBindGroupLayoutEntry.asSlice(entries, i);
            WGPUBindGroupLayoutEntry.binding(entry, own.get(i).binding());
            WGPUBindGroupLayoutEntry.visibility(entry, WgpuNative.WGPUShaderStage_Compute());
            MemorySegment buffer = WGPUBindGroupLayoutEntry.buffer(entry);
            WGPUBufferBindingLayout.type(buffer, own.get(i).access().type());
            WGPUBufferBindingLayout.hasDynamicOffset(buffer, own.get(i).dynamic() ? 1 : 0);
        }
        MemorySegment descriptor = call.allocate(WGPUBindGroupLayoutDescriptor.layout());
        WGPUBindGroupLayoutDescriptor.entryCount(descriptor, own.size());
        WGPUBindGroupLayoutDescriptor.entries(descriptor, entries);
        return WgpuNative.wgpuDeviceCreateBindGroupLayout(device.segment(), descriptor);
    }

    private static MemorySegment pipelineLayout(GpuDevice device, List<MemorySegment> layouts, Arena call) {
        MemorySegment groups = call.allocate(ValueLayout.ADDRESS, Math.max(layouts.size(), 1));
        for (int i = 0; i < layouts.size(); i++) {
            groups.setAtIndex(ValueLayout.ADDRESS, i, layouts.get(i));
        }
        MemorySegment descriptor = call.allocate(WGPUPipelineLayoutDescriptor.layout());
        WGPUPipelineLayoutDescriptor.bindGroupLayoutCount(descriptor, layouts.size());
        WGPUPipelineLayoutDescriptor.bindGroupLayouts(descriptor, groups);
        return WgpuNative.wgpuDeviceCreatePipelineLayout(device.segment(), descriptor);
    }

    private static MemorySegment pipeline(
            GpuDevice device, Program program, MemorySegment module, MemorySegment layout, Arena call) {
        MemorySegment constants =
                WGPUConstantEntry.allocateArray(Math.max(program.constants().size(), 1), call);
        int count = 0;
        for (Map.Entry<String, Double> constant : program.constants().entrySet()) {
            MemorySegment entry = WGPUConstantEntry.asSlice(constants, count++);
            NativeText.set(WGPUConstantEntry.key(entry), constant.getKey(), call);
            WGPUConstantEntry.value(entry, constant.getValue());
        }
        MemorySegment descriptor = call.allocate(WGPUComputePipelineDescriptor.layout());
        NativeText.set(WGPUComputePipelineDescriptor.label(descriptor), program.label(), call);
        WGPUComputePipelineDescriptor.layout(descriptor, layout);
        MemorySegment stage = WGPUComputePipelineDescriptor.compute(descriptor);
        WGPUComputeState.module(stage, module);
        NativeText.set(WGPUComputeState.entryPoint(stage), program.entryPoint(), call);
        WGPUComputeState.constantCount(stage, count);
        WGPUComputeState.constants(stage, constants);
        return WgpuNative.wgpuDeviceCreateComputePipeline(device.segment(), descriptor);
    }

    /** How many bind groups a dispatch sets, from the first. */
    public int groups() {
        return groupLayouts.size();
    }

    MemorySegment groupLayout(int group) {
        return groupLayouts.get(group);
    }

    long address() {
        return address;
    }

    @Override
    public void close() {
        releases.forEach(Runnable::run);
    }
}
