package io.devicearena.wgpu.internal.gpu;

import io.devicearena.kernel.KernelBinding;
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
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A compute pipeline: any entry point, any bind groups, bindings that are buffers.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}.
 */
public final class GpuPipeline implements AutoCloseable {
    /** What to compile: a source without override constants. Threads: immutable. */
    public record Program(String label, String wgsl, String entryPoint, List<KernelBinding> bindings) {
        /** The bindings of a group, in order. */
        List<KernelBinding> bindings(int group) {
            return bindings.stream().filter(binding -> binding.group() == group).toList();
        }
    }

    /**
     * What the library adds to shaders: {@code WGPUShaderRuntimeChecks_BoundsChecks}, and no counter in each loop,
     * which would keep compilers from unrolling it. A loop that does not end blocks the device with the counter too: it
     * has 64 bits.
     */
    private static final long RUNTIME_CHECKS = 1;

    private final Program program;
    /** Releases the shader module, the layouts and the pipeline. */
    private final Arena memory;

    final List<MemorySegment> groupLayouts;
    final long address;

    private GpuPipeline(Program program, Arena memory, List<MemorySegment> groupLayouts, MemorySegment handle) {
        this.program = program;
        this.memory = memory;
        this.groupLayouts = List.copyOf(groupLayouts);
        this.address = handle.address();
    }

    /**
     * Compiles a kernel.
     *
     * @throws GpuShaderException if the library refuses the source
     * @throws io.devicearena.DeviceException if the device fails
     */
    public static GpuPipeline compile(GpuDevice device, Program program) {
        device.requireAlive();
        Arena memory = Arena.ofShared();
        try (Arena call = Arena.ofConfined()) {
            // tied to their owner before the check: a failed call returns a handle too
            MemorySegment module =
                    module(device, program, call).reinterpret(memory, WgpuNative::wgpuShaderModuleRelease);
            device.errors.checkShader("wgpuDeviceCreateShaderModuleTrusted of '" + program.label() + "'");
            List<MemorySegment> layouts = new ArrayList<>();
            for (int group = 0; group < groups(program.bindings()); group++) {
                layouts.add(groupLayout(device, program.bindings(group), call)
                        .reinterpret(memory, WgpuNative::wgpuBindGroupLayoutRelease));
                device.errors.checkShader("wgpuDeviceCreateBindGroupLayout of '" + program.label() + "'");
            }
            MemorySegment layout =
                    pipelineLayout(device, layouts, call).reinterpret(memory, WgpuNative::wgpuPipelineLayoutRelease);
            device.errors.checkShader("wgpuDeviceCreatePipelineLayout of '" + program.label() + "'");
            MemorySegment pipeline = pipeline(device, program, module, layout, call)
                    .reinterpret(memory, WgpuNative::wgpuComputePipelineRelease);
            device.errors.checkShader("wgpuDeviceCreateComputePipeline of '" + program.label() + "'");
            return new GpuPipeline(program, memory, layouts, pipeline);
        } catch (RuntimeException | Error e) {
            memory.close();
            device.errors.drop();
            throw e;
        }
    }

    private static int groups(List<KernelBinding> bindings) {
        return bindings.stream().mapToInt(KernelBinding::group).max().orElse(-1) + 1;
    }

    private static MemorySegment module(GpuDevice device, Program program, Arena call) {
        MemorySegment source = call.allocate(WGPUShaderSourceWGSL.layout());
        WGPUChainedStruct.sType(WGPUShaderSourceWGSL.chain(source), WgpuNative.WGPUSType_ShaderSourceWGSL());
        NativeText.set(WGPUShaderSourceWGSL.code(source), program.wgsl(), call);
        MemorySegment descriptor = call.allocate(WGPUShaderModuleDescriptor.layout());
        WGPUShaderModuleDescriptor.nextInChain(descriptor, source);
        NativeText.set(WGPUShaderModuleDescriptor.label(descriptor), program.label(), call);
        return WgpuNative.wgpuDeviceCreateShaderModuleTrusted(device.handle(), descriptor, RUNTIME_CHECKS);
    }

    private static MemorySegment groupLayout(GpuDevice device, List<KernelBinding> own, Arena call) {
        MemorySegment entries = WGPUBindGroupLayoutEntry.allocateArray(Math.max(own.size(), 1), call);
        for (int i = 0; i < own.size(); i++) {
            MemorySegment entry = WGPUBindGroupLayoutEntry.asSlice(entries, i);
            WGPUBindGroupLayoutEntry.binding(entry, own.get(i).number());
            WGPUBindGroupLayoutEntry.visibility(entry, WgpuNative.WGPUShaderStage_Compute());
            WGPUBufferBindingLayout.type(
                    WGPUBindGroupLayoutEntry.buffer(entry), type(own.get(i).access()));
        }
        MemorySegment descriptor = call.allocate(WGPUBindGroupLayoutDescriptor.layout());
        WGPUBindGroupLayoutDescriptor.entryCount(descriptor, own.size());
        WGPUBindGroupLayoutDescriptor.entries(descriptor, entries);
        return WgpuNative.wgpuDeviceCreateBindGroupLayout(device.handle(), descriptor);
    }

    private static int type(KernelBinding.Access access) {
        return switch (access) {
            case READ -> WgpuNative.WGPUBufferBindingType_ReadOnlyStorage();
            case READ_WRITE -> WgpuNative.WGPUBufferBindingType_Storage();
            case UNIFORM -> WgpuNative.WGPUBufferBindingType_Uniform();
        };
    }

    private static MemorySegment pipelineLayout(GpuDevice device, List<MemorySegment> layouts, Arena call) {
        MemorySegment groups = call.allocate(ValueLayout.ADDRESS, Math.max(layouts.size(), 1));
        for (int i = 0; i < layouts.size(); i++) {
            groups.setAtIndex(ValueLayout.ADDRESS, i, layouts.get(i));
        }
        MemorySegment descriptor = call.allocate(WGPUPipelineLayoutDescriptor.layout());
        WGPUPipelineLayoutDescriptor.bindGroupLayoutCount(descriptor, layouts.size());
        WGPUPipelineLayoutDescriptor.bindGroupLayouts(descriptor, groups);
        return WgpuNative.wgpuDeviceCreatePipelineLayout(device.handle(), descriptor);
    }

    private static MemorySegment pipeline(
            GpuDevice device, Program program, MemorySegment module, MemorySegment layout, Arena call) {
        MemorySegment descriptor = call.allocate(WGPUComputePipelineDescriptor.layout());
        NativeText.set(WGPUComputePipelineDescriptor.label(descriptor), program.label(), call);
        WGPUComputePipelineDescriptor.layout(descriptor, layout);
        MemorySegment stage = WGPUComputePipelineDescriptor.compute(descriptor);
        WGPUComputeState.module(stage, module);
        NativeText.set(WGPUComputeState.entryPoint(stage), program.entryPoint(), call);
        return WgpuNative.wgpuDeviceCreateComputePipeline(device.handle(), descriptor);
    }

    /** What was compiled. */
    public Program program() {
        return program;
    }

    /** The number of bind groups that a dispatch sets, from group 0. */
    public int groups() {
        return groupLayouts.size();
    }

    @Override
    public void close() {
        memory.close();
    }
}
