package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBinding;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.TestArenas;
import org.junit.jupiter.api.Test;

/** An arena of the size of VGG-19, larger than one binding of most devices. */
class KernelWindowTest {
    private static final long SIZE = 600L << 20;
    private static final int ELEMENTS = 4096;

    /** At the start, in the middle and at the very end, where no binding may begin. */
    private static final MemoryPlan PLAN =
            TestArenas.plan(0, 4L * ELEMENTS, SIZE / 2 + 4, 4L * ELEMENTS, SIZE - 4L * ELEMENTS - 4, 4L * ELEMENTS + 4);

    private static final KernelSource SHIFTED_ADD = KernelSource.of("shifted add", """
            struct Job { elements: u32, a: u32, b: u32, c: u32 }
            @group(0) @binding(0) var<storage, read> a: array<f32>;
            @group(0) @binding(1) var<storage, read> b: array<f32>;
            @group(0) @binding(2) var<storage, read_write> c: array<f32>;
            @group(0) @binding(3) var<uniform> job: Job;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if (id.x < job.elements) {
                    c[job.c + id.x] = a[job.a + id.x] + b[job.b + id.x];
                }
            }
            """);

    @Test
    void kernelsReachValuesAtTheStartTheMiddleAndTheEnd() {
        try (DeviceArena arena = KernelArenas.open(PLAN)) {
            arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, 1));
            arena.writeInputF32(B, DType.F32, KernelArenas.ramp(ELEMENTS, 2));
            Kernels kernels = kernels(arena);
            Kernel add = kernels.compile(SHIFTED_ADD);
            Window a = kernels.window(A);
            Window b = kernels.window(B);
            Window c = kernels.window(C);
            KernelProgram program = kernels.recorder()
                    .dispatch(
                            add,
                            Bindings.of(
                                    a,
                                    b,
                                    c,
                                    kernels.uniform(
                                            ELEMENTS,
                                            (int) a.offsetOf(A) / 4,
                                            (int) b.offsetOf(B) / 4,
                                            (int) c.offsetOf(C) / 4)),
                            Workgroups.covering(ELEMENTS, 64))
                    .dispatch(
                            add,
                            Bindings.of(
                                    c,
                                    b,
                                    a,
                                    kernels.uniform(
                                            ELEMENTS,
                                            (int) c.offsetOf(C) / 4,
                                            (int) b.offsetOf(B) / 4,
                                            (int) a.offsetOf(A) / 4)),
                            Workgroups.covering(ELEMENTS, 64))
                    .build();
            float[] last = new float[ELEMENTS];
            float[] first = new float[ELEMENTS];
            program.run(Batch.builder()
                    .floats(C, DType.F32, last)
                    .floats(A, DType.F32, first)
                    .build());

            assertThat(last).isEqualTo(KernelArenas.ramp(ELEMENTS, 3));
            assertThat(first).isEqualTo(KernelArenas.ramp(ELEMENTS, 5));
        }
    }

    @Test
    void window_valuesTooFarApart_messageNamesThem() {
        try (DeviceArena arena = KernelArenas.open(PLAN)) {
            Kernels kernels = kernels(arena);
            long most = kernels.facts().maxBindingBytes();
            assumeTrue(most < SIZE / 2, "this device binds far more than half of the arena at a time");

            assertThatThrownBy(() -> kernels.window(B, A))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "window: expected at most " + most + " bytes (maxStorageBufferBindingSize) from the first"
                                    + " to the last value, got 314589188 from node 0 at 0 to node 1, which ends at 314589188; bind"
                                    + " them as separate windows");
            assertThatThrownBy(kernels::arena)
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "arena: expected at most " + most + " bytes (maxStorageBufferBindingSize) to bind it as a"
                                    + " whole, got 629145600; bind windows of it");
        }
    }

    @Test
    void window_coversItsValues_alignedAndMinimal() {
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(4, 400, 1020, 8, 5000, 4))) {
            Kernels kernels = kernels(arena);
            long alignment = kernels.facts().bindingAlignmentBytes();
            Window window = kernels.window(B, C);
            assertThat(window.offset()).isEqualTo(1020 / alignment * alignment);
            assertThat(window.offsetOf(B)).isEqualTo(1020 - window.offset());
            assertThat(window.offsetOf(C)).isEqualTo(5000 - window.offset());
            assertThat(window.offset() + window.bytes()).isBetween(5004L, 5004L + 15);
            assertThat(kernels.arena().bytes()).isEqualTo(5008);
            assertThat(kernels.compile(ADD).bindings().getFirst())
                    .isEqualTo(new KernelBinding(0, 0, "a", KernelBinding.Access.READ));
        }
    }
}
