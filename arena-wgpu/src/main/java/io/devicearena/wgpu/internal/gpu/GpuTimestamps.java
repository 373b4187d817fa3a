package io.devicearena.wgpu.internal.gpu;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUComputePassDescriptor;
import io.devicearena.wgpu.ffi.WGPUPassTimestampWrites;
import io.devicearena.wgpu.ffi.WGPUQuerySetDescriptor;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Storage on the device for the times at which passes begin and end.
 *
 * <p>Threads: one thread at a time. Lifetime: until {@link #close}.
 */
public final class GpuTimestamps implements AutoCloseable {
    /** The most queries of one set (WebGPU, section 20.1). */
    private static final int MAX_QUERIES = 4096;

    /** The most passes that one set times. */
    public static final int MAX_PASSES = MAX_QUERIES / 2;

    private final Arena memory;
    final MemorySegment querySet;
    private final GpuBuffer results;
    /** The descriptor of each pass, which names its two queries. */
    final MemorySegment[] passes;

    private GpuTimestamps(Arena memory, MemorySegment querySet, GpuBuffer results, MemorySegment[] passes) {
        this.memory = memory;
        this.querySet = querySet;
        this.results = results;
        this.passes = passes;
    }

    /**
     * Creates storage for the times of passes; the device must support timestamps.
     *
     * @param count the number of passes, 1 to {@link #MAX_PASSES}
     * @throws DeviceException if the device fails
     */
    public static GpuTimestamps create(GpuDevice device, int count) {
        if (count < 1 || count > MAX_PASSES || !device.limits().hasTimestamps()) {
            throw new AssertionError("timestamps of " + count + " passes");
        }
        GpuBuffer results = device.createBuffer(
                "device arena timestamps",
                count * 2L * Long.BYTES,
                WgpuNative.WGPUBufferUsage_QueryResolve() | WgpuNative.WGPUBufferUsage_CopySrc());
        Arena memory = Arena.ofShared();
        try {
            MemorySegment querySet = querySet(device, count * 2, memory);
            MemorySegment[] passes = new MemorySegment[count];
            for (int i = 0; i < count; i++) {
                passes[i] = pass(querySet, i, memory);
            }
            return new GpuTimestamps(memory, querySet, results, passes);
        } catch (RuntimeException | Error e) {
            memory.close();
            results.close();
            throw e;
        }
    }

    private static MemorySegment querySet(GpuDevice device, int queries, Arena memory) {
        MemorySegment descriptor = memory.allocate(WGPUQuerySetDescriptor.layout());
        NativeText.set(WGPUQuerySetDescriptor.label(descriptor), "device arena timestamps", memory);
        WGPUQuerySetDescriptor.type(descriptor, WgpuNative.WGPUQueryType_Timestamp());
        WGPUQuerySetDescriptor.count(descriptor, queries);
        // only released: the library ends the process when a query set was destroyed before
        MemorySegment querySet = WgpuNative.wgpuDeviceCreateQuerySet(device.handle(), descriptor)
                .reinterpret(memory, WgpuNative::wgpuQuerySetRelease);
        device.errors.check("wgpuDeviceCreateQuerySet");
        return querySet;
    }

    private static MemorySegment pass(MemorySegment querySet, int index, Arena memory) {
        MemorySegment writes = memory.allocate(WGPUPassTimestampWrites.layout());
        WGPUPassTimestampWrites.querySet(writes, querySet);
        WGPUPassTimestampWrites.beginningOfPassWriteIndex(writes, 2 * index);
        WGPUPassTimestampWrites.endOfPassWriteIndex(writes, 2 * index + 1);
        MemorySegment descriptor = memory.allocate(WGPUComputePassDescriptor.layout());
        WGPUComputePassDescriptor.timestampWrites(descriptor, writes);
        return descriptor;
    }

    /** The resolved times: for each pass its begin and its end, in ticks, 64 bits each. */
    public GpuBuffer results() {
        return results;
    }

    @Override
    public void close() {
        memory.close();
        results.close();
    }
}
