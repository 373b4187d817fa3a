package com.example.mlp.bench;

import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Adds up all words of a value that fills an arena, modulo 2³². A binding lies in one segment, so the value is bound in
 * parts, each as large as a segment and a binding allow, with a dispatch for each part.
 */
final class SegmentSum {
    private static final int ROUNDS = 7;

    /** Dispatches that {@link KernelProgram#time} takes. */
    private static final int MAX_TIMED = 2048;

    private static final int THREADS = 256;
    private static final int MAX_GROUPS = 4096;

    /** Vectors that a workgroup has in flight, 8 for each thread. */
    private static final int TILE = 8 * THREADS;

    /**
     * Each workgroup takes every n-th tile. The length of the part is that of the binding, so one kernel does for all.
     * Threads add vectors, a tree in workgroup memory adds their sums, and one atomic addition for each workgroup does
     * the rest.
     */
    private static final KernelSource SUM = KernelSource.of("sum", """
            @group(0) @binding(0) var<storage, read> words: array<vec4<u32>>;
            @group(0) @binding(1) var<storage, read_write> total: atomic<u32>;
            var<workgroup> shares: array<u32, 256>;

            @compute @workgroup_size(256)
            fn main(
                @builtin(workgroup_id) group: vec3<u32>,
                @builtin(num_workgroups) groups: vec3<u32>,
                @builtin(local_invocation_index) lane: u32,
            ) {
                let length = arrayLength(&words);
                let tiles = length / 2048u;
                var sum = vec4<u32>();
                for (var tile = group.x; tile < tiles; tile += groups.x) {
                    let at = tile * 2048u + lane;
                    let v0 = words[at];
                    let v1 = words[at + 256u];
                    let v2 = words[at + 512u];
                    let v3 = words[at + 768u];
                    let v4 = words[at + 1024u];
                    let v5 = words[at + 1280u];
                    let v6 = words[at + 1536u];
                    let v7 = words[at + 1792u];
                    sum += ((v0 + v1) + (v2 + v3)) + ((v4 + v5) + (v6 + v7));
                }
                for (var at = (tiles * 8u + group.x) * 256u + lane; at < length; at += groups.x * 256u) {
                    sum += words[at];
                }
                shares[lane] = (sum.x + sum.y) + (sum.z + sum.w);
                workgroupBarrier();
                for (var half = 128u; half > 0u; half /= 2u) {
                    if (lane < half) {
                        shares[lane] += shares[lane + half];
                    }
                    workgroupBarrier();
                }
                if (lane == 0u) {
                    atomicAdd(&total, shares[0]);
                }
            }
            """);

    private final Kernels kernels;
    private final KernelBuffer total;
    private final KernelProgram program;
    private final int expected;

    private SegmentSum(Kernels kernels, KernelBuffer total, KernelProgram program, int expected) {
        this.kernels = kernels;
        this.total = total;
        this.program = program;
        this.expected = expected;
    }

    /** Records the sum of a value, whose length is a multiple of 16. */
    static SegmentSum of(DeviceArena arena, NodeId value, int expected) {
        Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
        Kernel sum = kernels.compile(SUM);
        KernelBuffer total = kernels.buffer("total", Integer.BYTES);
        Recorder recorder = kernels.recorder();
        SegmentLayout segments = arena.segments();
        long most = kernels.facts().maxBindingBytes() & -Math.max(16, kernels.facts().bindingAlignmentBytes());
        for (int segment = 0; segment < segments.count(); segment++) {
            long end = segments.end(segment);
            for (long at = segments.start(segment); at < end; at += most) {
                // the value begins where the arena does
                Window part = kernels.window(value, at, Math.min(most, end - at));
                long tiles = (part.bytes() / 16 - 1) / TILE + 1;
                recorder.dispatch(
                        sum, Bindings.of(part, total), Workgroups.of((int) Math.min(tiles, MAX_GROUPS)));
            }
        }
        return new SegmentSum(kernels, total, recorder.build(), expected);
    }

    /** The median by the device's clock, in milliseconds; NaN where it has none, or too many parts to time. */
    double gpuMillis() {
        if (!kernels.facts().hasTimestamps() || program.steps() > MAX_TIMED) {
            return Double.NaN;
        }
        double[] millis = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            clear();
            millis[i] = program.time().stream().mapToLong(StepTime::nanos).sum() / 1e6;
            check();
        }
        Arrays.sort(millis);
        return millis[ROUNDS / 2];
    }

    /** The median by the host's clock, in milliseconds: one submission, and the wait for the sum. */
    double wallMillis() {
        double[] millis = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            clear();
            long begin = System.nanoTime();
            program.submit();
            check();
            millis[i] = (System.nanoTime() - begin) / 1e6;
        }
        Arrays.sort(millis);
        return millis[ROUNDS / 2];
    }

    private void clear() {
        total.write(0, MemorySegment.ofArray(new int[1]));
    }

    private void check() {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment sum = call.allocate(ValueLayout.JAVA_INT);
            total.read(0, sum);
            int got = sum.get(ValueLayout.JAVA_INT, 0);
            if (got != expected) {
                throw new IllegalStateException("sum: expected " + Integer.toUnsignedString(expected) + ", got "
                        + Integer.toUnsignedString(got) + "; the kernel misses bytes of the arena");
            }
        }
    }
}
