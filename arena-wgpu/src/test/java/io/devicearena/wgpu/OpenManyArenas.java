package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static io.devicearena.wgpu.testing.TestArenas.wgpu;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.ffi.WGPUGlobalReport;
import io.devicearena.wgpu.ffi.WGPUHubReport;
import io.devicearena.wgpu.ffi.WGPURegistryReport;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.ResidentMemory;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that opens, uses and closes many arenas, and drops every tenth without closing it. It repeatedly prints its
 * resident memory in bytes and the number of objects of each kind in the library.
 */
final class OpenManyArenas {
    /** The property with the number of arenas. */
    static final String ARENAS = "devicearena.arenas";

    /** The arenas of a build; a leak shows from one sample to the next, and a long run has more of them. */
    static final int USUAL_ARENAS = 3000;

    static final int DROPPED_EVERY = 10;
    static final int SAMPLE_EVERY = 250;
    private static final int KERNEL_EVERY = 100;
    private static final NodeId A = NodeId.of(0);
    private static final NodeId B = NodeId.of(1);
    private static final int ELEMENTS = 1000;

    private OpenManyArenas() {}

    public static void main(String... arguments) throws IOException {
        float[] data = new float[ELEMENTS];
        MemorySegment bytes = MemorySegment.ofArray(new byte[1001]);
        int arenas = Integer.getInteger(ARENAS, USUAL_ARENAS);
        for (int i = 1; i <= arenas; i++) {
            DeviceArena arena = open();
            data[0] = i;
            use(arena, data, bytes);
            if (i % KERNEL_EVERY == 1) {
                runKernel(arena);
            }
            if (i % DROPPED_EVERY != 0) {
                arena.close();
            }
            if (i % SAMPLE_EVERY == 0) {
                collect();
                sample();
            }
        }
    }

    private static DeviceArena open() {
        return TestArenas.open(TestArenas.plan(0, 4 * ELEMENTS, 4096, 4 * ELEMENTS));
    }

    private static void use(DeviceArena arena, float[] data, MemorySegment bytes) {
        arena.writeInputF32(A, DType.F32, data);
        arena.writeBytes(4097, bytes);
        shadow(arena).refresh(B);
        shadow(arena).readBytes(0, bytes);
        float[] first = new float[1];
        long read = arena.readBatch(
                Batch.builder().floats(A, DType.F32, first).bytes(4096, bytes).build());
        if (read != 1 + bytes.byteSize() || first[0] != data[0]) {
            throw new AssertionError("expected what was written, got " + first[0] + " for " + data[0]);
        }
    }

    private static void runKernel(DeviceArena arena) {
        Kernels kernels = kernels(arena);
        KernelProgram program = kernels.recorder()
                .dispatch(
                        kernels.compile(KernelSource.of("scale", LostDevice.SCALE)),
                        Bindings.of(kernels.window(A), kernels.window(B), kernels.uniform(ELEMENTS, 0, 0, 0)),
                        Workgroups.covering(ELEMENTS, 64))
                .build();
        program.submit();
        Batch batch = Batch.builder().floats(B, DType.F32, new float[1]).build();
        for (int i = 0; i < 3; i++) {
            program.run(batch); // the last run prepares the next one
        }
    }

    /** Gives the collector and the cleaner time to free dropped arenas. */
    private static void collect() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static void sample() throws IOException {
        try (DeviceArena arena = open();
                Arena call = Arena.ofConfined()) {
            MemorySegment report = call.allocate(WGPUGlobalReport.layout());
            WgpuNative.wgpuGenerateReport(wgpu(arena).handles().instance(), report);
            MemorySegment hub = WGPUGlobalReport.hub(report);
            OUT.println(ResidentMemory.now()
                    + " " + count(WGPUHubReport.devices(hub))
                    + " " + count(WGPUHubReport.buffers(hub))
                    + " " + count(WGPUHubReport.bindGroups(hub))
                    + " " + count(WGPUHubReport.shaderModules(hub))
                    + " " + count(WGPUHubReport.computePipelines(hub))
                    + " " + count(WGPUHubReport.pipelineLayouts(hub))
                    + " " + count(WGPUHubReport.bindGroupLayouts(hub))
                    + " " + count(WGPUHubReport.commandBuffers(hub)));
        }
    }

    private static long count(MemorySegment registry) {
        return WGPURegistryReport.numAllocated(registry);
    }
}
