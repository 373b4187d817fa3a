package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.NativeText;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.ffi.WGPUComputePassDescriptor;
import io.devicearena.wgpu.ffi.WGPUPassTimestampWrites;
import io.devicearena.wgpu.ffi.WGPUQuerySetDescriptor;
import io.devicearena.wgpu.ffi.WgpuNative;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Room for the times at which passes begin and end, on the device.
 *
 * <p>Threads: one thread at a time. Lifetime: until {@link #close}.
 */
public final class GpuTimestamps implements AutoCloseable {
    /** The most queries of one set (WebGPU, section 20.1). */
    private static final int MOST_QUERIES = 4096;

    /** The most passes that one set times. */
    public static final int MOST_PASSES = MOST_QUERIES / 2;

    private final Arena memory;
    private final MemorySegment querySet;
    private final GpuBuffer results;
    /** For each pass, how it is begun so that it notes its times. */
    private final MemorySegment[] passes;

    private final float nanosPerTick;

    private GpuTimestamps(
            Arena memory, MemorySegment querySet, GpuBuffer results, MemorySegment[] passes, float nanosPerTick) {
        this.memory = memory;
        this.querySet = querySet;
        this.results = results;
        this.passes = passes;
        this.nanosPerTick = nanosPerTick;
    }

    /**
     * Makes room for the times of some passes; the device must have time stamps.
     *
     * @param count passes, 1 to {@link #MOST_PASSES}
     * @throws DeviceException if the device fails
     */
    public static GpuTimestamps create(GpuDevice device, int count) {
        if (count < 1 || count > MOST_PASSES || !device.adapter().hasTimestamps()) {
            throw new AssertionError("time stamps of " + count + " passes");
        }
        GpuBuffer results = device.createBuffer(
                "device arena time stamps",
                count * 2L * Long.BYTES,
                WgpuNative.WGPUBufferUsage_QueryResolve() | WgpuNative.WGPUBufferUsage_CopySrc());
        Arena memory = Arena.ofShared();
        try {
            MemorySegment querySet = querySet(device, count * 2, memory);
            MemorySegment[] passes = new MemorySegment[count];
            for (int i = 0; i < count; i++) {
                passes[i] = pass(querySet, i, memory);
            }
            return new GpuTimestamps(
                    memory, querySet, results, passes, WgpuNative.wgpuQueueGetTimestampPeriod(device.queue()));
        } catch (RuntimeException | Error e) {
            memory.close();
            results.close();
            throw e;
        }
    }

    private static MemorySegment querySet(GpuDevice device, int queries, Arena memory) {
        MemorySegment descriptor = memory.allocate(WGPUQuerySetDescriptor.layout());
        NativeText.set(WGPUQuerySetDescriptor.label(descriptor), "device arena time stamps", memory);
        WGPUQuerySetDescriptor.type(descriptor, WgpuNative.WGPUQueryType_Timestamp());
        WGPUQuerySetDescriptor.count(descriptor, queries);
        MemorySegment querySet = WgpuNative.wgpuDeviceCreateQuerySet(device.segment(), descriptor);
        device.errors().check("wgpuDeviceCreateQuerySet");
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

    long passAddress(int index) {
        return passes[index].address();
    }

    long querySetAddress() {
        return querySet.address();
    }

    int queries() {
        return 2 * passes.length;
    }

    /** Where the times are once they are resolved: of each pass the begin and the end, in ticks, 64 bits each. */
    public GpuBuffer results() {
        return results;
    }

    /** How long a tick is, in nanoseconds. */
    public float nanosPerTick() {
        return nanosPerTick;
    }

    @Override
    public void close() {
        WgpuNative.wgpuQuerySetRelease(querySet); // alone: the library ends the process when it was destroyed before
        results.close();
        memory.close();
    }
}
