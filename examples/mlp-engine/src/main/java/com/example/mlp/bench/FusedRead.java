package com.example.mlp.bench;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import io.devicearena.wgpu.WgpuArena;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.KernelProgram;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.kernel.Workgroups;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a kernel adds to the readback of 16 bytes that goes in the same submission. */
final class FusedRead {
    private static final int WARM_UP = 500;
    private static final int CALLS = 2000;
    private static final NodeId VALUE = NodeId.of(0);
    private static final KernelSource ADD_ONE = KernelSource.of("add one", """
            @group(0) @binding(0) var<storage, read_write> value: array<f32>;

            @compute @workgroup_size(4)
            fn main(@builtin(local_invocation_index) i: u32) {
                value[i] += 1.0;
            }
            """);

    private FusedRead() {}

    static void measure(PrintStream out) {
        MemoryPlan plan = new MemoryPlan(16, Map.of(VALUE, new BufferSlot(0, 16)), List.of(VALUE));
        try (WgpuArena arena = KernelBench.open(plan)) {
            Kernels kernels = arena.kernels();
            KernelProgram program = kernels.recorder()
                    .dispatch(kernels.compile(ADD_ONE), Bindings.of(kernels.window(VALUE)), Workgroups.of(1))
                    .build();
            float[] read = new float[4];
            ReadBatch batch = ReadBatch.builder().output(VALUE, DType.F32, read).build();
            long[] alone = new long[CALLS];
            long[] fused = new long[CALLS];
            for (int i = -WARM_UP; i < CALLS; i++) {
                long begin = System.nanoTime();
                arena.readBatch(batch);
                long between = System.nanoTime();
                program.run(batch);
                long end = System.nanoTime();
                if (i >= 0) {
                    alone[i] = between - begin;
                    fused[i] = end - between;
                }
            }
            Arrays.sort(alone);
            Arrays.sort(fused);
            double aloneMicros = alone[CALLS / 2] / 1e3;
            double fusedMicros = fused[CALLS / 2] / 1e3;
            out.println();
            out.println(String.format(
                    Locale.ROOT,
                    "# readback of 16 bytes: %.1f µs alone, %.1f µs behind a kernel in the same submission: %.2f times",
                    aloneMicros,
                    fusedMicros,
                    fusedMicros / aloneMicros));
            if (read[0] != CALLS + WARM_UP) {
                throw new IllegalStateException(
                        "kernel: expected " + (CALLS + WARM_UP) + " additions, got " + read[0]);
            }
        }
    }
}
