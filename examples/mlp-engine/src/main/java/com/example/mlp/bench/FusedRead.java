package com.example.mlp.bench;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a kernel adds to the readback of 16 bytes that goes in the same submission, by copy or into a result buffer. */
final class FusedRead {
    /** The first of them warm up. */
    private static final int ROUNDS = 6;

    private static final int CALLS = 4000;
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
        try (DeviceArena arena = KernelBench.open(plan)) {
            Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
            KernelProgram program = kernels.recorder()
                    .dispatch(kernels.compile(ADD_ONE), Bindings.of(kernels.window(VALUE)), Workgroups.of(1))
                    .build();
            ResultBuffer result = kernels.resultBuffer("result", 16);
            KernelProgram direct = kernels.recorder()
                    .dispatch(kernels.compile(ADD_ONE), Bindings.of(result), Workgroups.of(1))
                    .build();
            float[] read = new float[4];
            float[] written = new float[4];
            MemorySegment destination = MemorySegment.ofArray(written);
            Batch batch = Batch.builder().floats(VALUE, DType.F32, read).build();
            List<Runnable> ways = List.of(
                    () -> arena.readOutputF32(VALUE, DType.F32, read),
                    () -> arena.readBatch(batch),
                    () -> program.run(batch),
                    () -> direct.run(result, destination));
            double[] micros = new double[ways.size()];
            for (int round = 0; round < ROUNDS; round++) {
                for (int way = 0; way < ways.size(); way++) {
                    double median = medianMicros(ways.get(way));
                    micros[way] = round == 0 ? median : Math.min(micros[way], median);
                }
            }
            out.println();
            out.println(String.format(
                    Locale.ROOT,
                    "# 16 bytes: %.1f µs to read them, %.1f µs as the same batch again and again; in one submission with a"
                            + " kernel %.1f µs (%.2f times the plain read), from a result buffer %.1f µs (%.2f times)",
                    micros[0],
                    micros[1],
                    micros[2],
                    micros[2] / micros[0],
                    micros[3],
                    micros[3] / micros[0]));
            if (read[0] != ROUNDS * CALLS || written[0] != ROUNDS * CALLS) {
                throw new IllegalStateException("kernel: expected " + ROUNDS * CALLS + " additions, got " + read[0]
                        + " and " + written[0]);
            }
        }
    }

    private static double medianMicros(Runnable way) {
        long[] nanos = new long[CALLS];
        for (int i = 0; i < CALLS; i++) {
            long begin = System.nanoTime();
            way.run();
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return nanos[CALLS / 2] / 1e3;
    }
}
