package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.KernelArenas.ramp;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.TestArenas;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Kernels of several graphs on one memory, and of several arenas on one copy of the weights. */
class SharedMemoryTest {
    private static final NodeId WEIGHT = NodeId.of(10);
    private static final Workgroups ALL = Workgroups.covering(ELEMENTS, 64);

    private static MemoryPlan plan(long size, NodeId id, long offset) {
        return new MemoryPlan(size, Map.of(id, new BufferSlot(offset, 4000)), List.of(id));
    }

    private static DeviceArena weights(F16ShadowMode mode) {
        return KernelArenas.open(plan(4000, WEIGHT, 0), ArenaOptions.defaults().withF16Shadow(mode));
    }

    private static KernelProgram adding(DeviceArena arena, Window a, Window b, Window c) {
        Kernels kernels = kernels(arena);
        return kernels.recorder()
                .dispatch(
                        kernels.compile(ADD),
                        Bindings.of(a, b, c, kernels.uniform(ELEMENTS, Float.floatToRawIntBits(1))),
                        ALL)
                .build();
    }

    @Test
    void aViewRunsKernelsOnTheSameBytes_withWindowsOfBoth() {
        try (DeviceArena arena = KernelArenas.open();
                DeviceArena view = arena.view(plan(12_192, C, 4096))) {
            arena.writeInputF32(A, DType.F32, ramp(ELEMENTS, 1));
            view.writeInputF32(C, DType.F32, ramp(ELEMENTS, 2)); // the bytes of B
            adding(
                            view,
                            kernels(arena).window(A),
                            kernels(view).window(C),
                            kernels(arena).window(C))
                    .submit();

            assertThat(arena.readOutputF32(C, DType.F32, ELEMENTS)).isEqualTo(ramp(ELEMENTS, 3));
            assertThat(arena.readOutputF32(B, DType.F32, ELEMENTS)).isEqualTo(ramp(ELEMENTS, 2));
        }
    }

    @Test
    void aClosedArenaRefusesItsProgram_andItsViewGoesOn() {
        DeviceArena arena = KernelArenas.open();
        DeviceArena view = arena.view(arena.plan());
        Kernels of = kernels(arena);
        KernelProgram closed = adding(arena, of.window(A), of.window(B), of.window(C));
        KernelProgram open = adding(view, of.window(A), of.window(B), of.window(C));

        arena.close();
        assertThatThrownBy(closed::submit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(KernelArenas.CLOSED);
        open.submit();
        view.close();
        assertThatThrownBy(open::submit).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aWriteThroughAViewMakesTheMirrorStaleForAll() {
        Assumptions.assumeTrue(TestArenas.device().capabilities().contains(Capability.F16_SHADOW), "no f16 shadow");
        try (DeviceArena arena = KernelArenas.open(
                        TestArenas.plan(0, 4000), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_REQUEST));
                DeviceArena view = arena.view(arena.plan())) {
            arena.writeInputF32(A, DType.F32, ramp(ELEMENTS, 1));
            shadow(arena).refresh(A);
            assertThat(shadow(view).isStale(A)).isFalse();
            view.writeInputF32(A, DType.F32, ramp(ELEMENTS, 2));
            assertThat(shadow(arena).isStale(A)).isTrue();
        }
    }

    @Test
    void arenasUseOneCopyOfTheWeights_untilTheLastIsClosed() {
        DeviceArena weights = weights(F16ShadowMode.OFF);
        weights.writeInputF32(WEIGHT, DType.F32, ramp(ELEMENTS, 5));
        ArenaOptions options = ArenaOptions.defaults().withWeights(weights);
        try (DeviceArena first = KernelArenas.open(TestArenas.plan(0, 4000, 4096, 4000), options);
                DeviceArena second = KernelArenas.open(TestArenas.plan(0, 4000, 4096, 4000), options)) {
            weights.close();
            int step = 1;
            for (DeviceArena arena : List.of(first, second)) {
                Kernels kernels = kernels(arena);
                arena.writeInputF32(A, DType.F32, ramp(ELEMENTS, step));
                adding(arena, kernels.window(A), kernels.window(WEIGHT), kernels.window(B))
                        .submit();
                assertThat(arena.readOutputF32(B, DType.F32, ELEMENTS)).isEqualTo(ramp(ELEMENTS, 5 + step++));
            }
        }
    }

    @Test
    void kernelsDoNotWriteWeightsThatOthersUse() {
        try (DeviceArena weights = weights(F16ShadowMode.OFF);
                DeviceArena arena = KernelArenas.open(
                        TestArenas.plan(0, 4000, 4096, 4000),
                        ArenaOptions.defaults().withWeights(weights))) {
            Kernels kernels = kernels(arena);

            assertThatThrownBy(() -> adding(arena, kernels.window(A), kernels.window(B), kernels.window(WEIGHT)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("kernel 'add': expected weights that other arenas use to be read only, got a window of"
                            + " the arena of them for @group(0) @binding(2) 'c', which writes; write weights through"
                            + " the arena that holds them");
            assertThatThrownBy(() -> kernels.recorder().copy(kernels.window(A), 0, kernels.window(WEIGHT), 0, 4))
                    .isInstanceOf(IllegalArgumentException.class);
            kernels.recorder()
                    .copy(kernels.window(WEIGHT), 0, kernels.window(A), 0, 4)
                    .build()
                    .submit();
            assertThatThrownBy(() -> kernels.window(A, WEIGHT)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aStaleMirrorOfTheWeightsIsRefused() {
        Assumptions.assumeTrue(TestArenas.device().capabilities().contains(Capability.F16_SHADOW), "no f16 shadow");
        try (DeviceArena weights = weights(F16ShadowMode.ON_REQUEST);
                DeviceArena arena = KernelArenas.open(
                        TestArenas.plan(0, 4000), ArenaOptions.defaults().withWeights(weights))) {
            weights.writeInputF32(WEIGHT, DType.F32, ramp(ELEMENTS, 1));
            Kernels kernels = kernels(arena);
            KernelProgram widen = kernels.recorder()
                    .dispatch(
                            kernels.compile(KernelArenas.WIDEN),
                            Bindings.of(kernels.shadowWindow(WEIGHT), kernels.window(A)),
                            ALL)
                    .build();

            assertThatThrownBy(widen::submit)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the f16 mirror of node 10 is stale; refresh it first");
            shadow(weights).refresh(WEIGHT);
            widen.submit();
            assertThat(arena.readOutputF32(A, DType.F32, ELEMENTS)).isEqualTo(ramp(ELEMENTS, 1));
        }
    }

    @Test
    void stepsHaveLabels_inTimesAndErrors() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            Kernel add = kernels.compile(ADD);
            Binding job = kernels.uniform(ELEMENTS, 0);
            Recorder recorder = kernels.recorder()
                    .dispatch(add, Bindings.of(kernels.window(A), kernels.window(B), kernels.window(C), job), ALL)
                    .labelled("layer 1")
                    .dispatch(add, Bindings.of(kernels.window(A), kernels.window(C), kernels.window(B), job), ALL);

            assertThatThrownBy(() -> recorder.dispatch(add, Bindings.of(kernels.window(A)), ALL))
                    .hasMessageStartingWith("step 'layer 1', kernel 'add': expected a binding");
            if (kernels.facts().hasTimestamps()) {
                List<StepTime> times = recorder.build().time();
                assertThat(times).extracting(StepTime::label).containsExactly("add", "layer 1");
                assertThat(times).extracting(StepTime::kernel).containsOnly("add");
            }
        }
    }
}
