package io.devicearena.wgpu.faults;

import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;

import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Uses every part of an arena, and checks each byte that comes back. */
final class Workload {
    private static final NodeId A = NodeId.of(0);
    private static final NodeId B = NodeId.of(1);
    private static final NodeId LARGE = NodeId.of(2);
    private static final int ELEMENTS = 1000;
    private static final int LARGE_BYTES = 3 << 20;

    /** Kernel, buffer and uniform of the same text are made once for a device, so each round has its own constant. */
    private static final String SCALE = """
            override factor: f32;
            @group(0) @binding(0) var<storage, read> a: array<f32>;
            @group(0) @binding(1) var<storage, read_write> b: array<f32>;
            @group(0) @binding(2) var<uniform> job: vec4<u32>;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if (id.x < job.x) {
                    b[id.x] = factor * a[id.x];
                }
            }
            """;

    private final int rounds;

    /**
     * Makes a workload.
     *
     * @param rounds how often it moves data and compiles kernels, 1 or more
     */
    Workload(int rounds) {
        this.rounds = rounds;
    }

    /** Opens an arena on the first device, uses it, and closes it. */
    void run() {
        MemoryPlan plan = TestArenas.plan(0, 4 * ELEMENTS, 4096, 4 * ELEMENTS, 8192, LARGE_BYTES);
        try (DeviceArena arena = TestArenas.open(plan)) {
            for (int round = 1; round <= rounds; round++) {
                move(arena, round);
                compute(arena, round);
            }
            large(arena);
        }
    }

    private static float[] floats(int seed) {
        float[] floats = new float[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            floats[i] = seed + i % 64;
        }
        return floats;
    }

    private static void move(DeviceArena arena, int round) {
        float[] data = floats(round);
        arena.writeInputF32(A, DType.F32, data);
        expect(data, arena.readOutputF32(A, DType.F32, ELEMENTS));
        float[] deferred = new float[ELEMENTS];
        arena.writeInputF32(B, DType.F32, data);
        arena.beginRead(Batch.builder().floats(B, DType.F32, deferred).build()).await();
        expect(data, deferred);
        if (arena.device().capabilities().contains(Capability.F16_SHADOW)) {
            shadow(arena).refresh(A);
        }
        arena.flush();
    }

    private static void compute(DeviceArena arena, int round) {
        Kernels kernels = kernels(arena);
        KernelSource source = KernelSource.of("scale", SCALE).withConstant("factor", 1 + round);
        try (Kernel kernel = kernels.compile(source);
                ResultBuffer result = kernels.resultBuffer("result", 4 * ELEMENTS);
                KernelProgram program = kernels.recorder()
                        .labelled("scale")
                        .dispatch(
                                kernel,
                                Bindings.of(
                                        kernels.window(A), kernels.window(B), kernels.uniform(ELEMENTS, round, 0, 0)),
                                Workgroups.of(16))
                        .copy(B, A)
                        .dispatch(
                                kernel,
                                Bindings.of(kernels.window(A), result, kernels.uniform(ELEMENTS, round, 0, 0)),
                                Workgroups.of(16))
                        .build()) {
            float[] data = floats(round);
            float[] scaled = new float[ELEMENTS];
            program.run(
                    Batch.builder().floats(A, DType.F32, data).build(),
                    Batch.builder().floats(B, DType.F32, scaled).build());
            for (int i = 0; i < ELEMENTS; i++) {
                data[i] *= 1 + round;
            }
            expect(data, scaled);
            arena.writeInputF32(A, DType.F32, floats(round));
            MemorySegment twice = MemorySegment.ofArray(new float[ELEMENTS]);
            program.run(result, twice);
            for (int i = 0; i < ELEMENTS; i++) {
                data[i] *= 1 + round;
            }
            expect(data, twice.toArray(ValueLayout.JAVA_FLOAT));
            if (kernels.facts().hasTimestamps()) {
                program.time();
            }
        }
    }

    private static void large(DeviceArena arena) {
        byte[] bytes = new byte[LARGE_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ((i * 31) >> 3);
        }
        long offset = arena.byteOffset(LARGE).orElseThrow();
        arena.writeBytes(offset, MemorySegment.ofArray(bytes));
        expectBytes(arena, offset, bytes);
        try (HostMemory host = arena.allocateHost(LARGE_BYTES)) {
            host.segment().copyFrom(MemorySegment.ofArray(bytes));
            arena.writeBytes(offset, host.segment());
            arena.beginWrite(Batch.builder()
                            .bytes(offset, MemorySegment.ofArray(bytes))
                            .build())
                    .await();
            expectBytes(arena, offset, bytes);
        }
        long mismatch = arena.<Long>withBytes(offset, LARGE_BYTES, MemorySegment.ofArray(bytes)::mismatch);
        require(mismatch == -1, "mapped byte " + mismatch + " differs");
    }

    private static void expectBytes(DeviceArena arena, long offset, byte[] bytes) {
        byte[] back = new byte[bytes.length];
        arena.readBytes(offset, MemorySegment.ofArray(back));
        require(Arrays.mismatch(bytes, back) == -1, "byte " + Arrays.mismatch(bytes, back) + " differs");
    }

    private static void expect(float[] wanted, float[] got) {
        require(Arrays.equals(wanted, got), "element " + Arrays.mismatch(wanted, got) + " differs");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
