package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A compiled kernel of this backend: entry point {@code main}, one bind group, bindings that are buffers.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}.
 */
public final class GpuKernel implements AutoCloseable {
    /** How a kernel uses a buffer. Threads: immutable. */
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
     * One binding; its number is its index in the list. Threads: immutable.
     *
     * @param dynamic whether each dispatch supplies the offset of the binding
     */
    public record Slot(Access access, boolean dynamic) {}

    private final GpuPipeline pipeline;

    private GpuKernel(GpuPipeline pipeline) {
        this.pipeline = pipeline;
    }

    /**
     * Compiles a kernel.
     *
     * @throws io.devicearena.DeviceException if the source does not compile; the message is the compiler's
     */
    public static GpuKernel compile(GpuDevice device, String label, String wgsl, List<Slot> slots) {
        List<GpuPipeline.Entry> entries = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
            entries.add(new GpuPipeline.Entry(
                    0, i, slots.get(i).access(), slots.get(i).dynamic()));
        }
        return new GpuKernel(GpuPipeline.compile(device, new GpuPipeline.Program(label, wgsl, "main", entries)));
    }

    MemorySegment groupLayout() {
        return pipeline.groupLayout(0);
    }

    long pipelineAddress() {
        return pipeline.address();
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
