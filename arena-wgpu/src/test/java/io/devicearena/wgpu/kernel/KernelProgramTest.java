package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.KernelArenas.WIDEN;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static io.devicearena.wgpu.testing.TestArenas.wgpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.RepeatedRun;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.WgpuHandles;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.Needs;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A program runs its steps in order. */
class KernelProgramTest {
    private static final Workgroups ALL = Workgroups.covering(ELEMENTS, 64);

    private static Bindings addition(Kernels kernels, NodeId a, NodeId b, NodeId c, float scale) {
        return Bindings.of(
                kernels.window(a),
                kernels.window(b),
                kernels.window(c),
                kernels.uniform(ELEMENTS, Float.floatToRawIntBits(scale)));
    }

    private static Batch into(NodeId id, float[] floats) {
        return Batch.builder().floats(id, DType.F32, floats).build();
    }

    private static DeviceArena withInputs() {
        DeviceArena arena = KernelArenas.open();
        arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, 1));
        arena.writeInputF32(B, DType.F32, KernelArenas.ramp(ELEMENTS, 1000));
        return arena;
    }

    @Test
    void theDeviceDeclaresKernels() {
        assertThat(TestArenas.device().capabilities()).contains(Capability.KERNELS);
    }

    @Test
    void run_kernelAndRead_shareASubmission() {
        try (DeviceArena arena = withInputs()) {
            Kernels kernels = kernels(arena);
            KernelProgram program = kernels.recorder()
                    .dispatch(kernels.compile(ADD), addition(kernels, A, B, C, 2), ALL)
                    .build();
            float[] sum = new float[ELEMENTS];

            assertThat(program.run(into(C, sum))).isEqualTo(ELEMENTS);

            assertThat(sum).isEqualTo(KernelArenas.ramp(ELEMENTS, 2001));
        }
    }

    @Test
    void run_constantsBoundToStorage_areRead() {
        try (DeviceArena arena = withInputs()) {
            Kernels kernels = kernels(arena);
            int[] bits = new int[ELEMENTS];
            Arrays.setAll(bits, i -> Float.floatToRawIntBits(7 * i));
            KernelProgram program = kernels.recorder()
                    .dispatch(
                            kernels.compile(ADD), addition(kernels, A, B, C, 1).with(0, 0, kernels.uniform(bits)), ALL)
                    .build();
            float[] sum = new float[ELEMENTS];

            program.run(into(C, sum));

            assertThat(sum).isEqualTo(KernelArenas.ramp(ELEMENTS, 1007));
        }
    }

    @Test
    void run_seesEarlierWrites_andReadsSeeIt() {
        try (DeviceArena arena = withInputs()) {
            KernelProgram program = KernelArenas.sum(arena).build();
            for (int round = 1; round < 50; round++) {
                arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, round));
                program.submit();
                assertThat(arena.readOutputF32(C, DType.F32, ELEMENTS))
                        .isEqualTo(KernelArenas.ramp(ELEMENTS, 1000 + round));
            }
        }
    }

    @Test
    void eachStepSeesTheStepsBeforeIt() {
        try (DeviceArena arena = withInputs()) {
            Kernels kernels = kernels(arena);
            Kernel add = kernels.compile(ADD);
            float[] sum = new float[ELEMENTS];
            kernels.recorder()
                    .dispatch(add, addition(kernels, A, B, C, 1), ALL) // c = 1001
                    .dispatch(add, addition(kernels, C, B, A, 1), ALL) // a = 2001
                    .copy(A, B) // b = 2001
                    .dispatch(add, addition(kernels, A, B, C, -1), ALL) // c = 0
                    .dispatch(add, addition(kernels, B, C, A, 1), ALL) // a = 2001
                    .build()
                    .run(into(A, sum));

            assertThat(sum).isEqualTo(KernelArenas.ramp(ELEMENTS, 2001));
        }
    }

    @Test
    void begin_read_landsWhenAwaited() {
        try (DeviceArena arena = withInputs()) {
            KernelProgram program = KernelArenas.sum(arena).build();
            float[] sum = new float[ELEMENTS];

            Transfer read = program.begin(into(C, sum));
            arena.writeInputF32(C, DType.F32, new float[ELEMENTS]);

            assertThat(read.await()).isEqualTo(ELEMENTS);
            assertThat(sum).isEqualTo(KernelArenas.ramp(ELEMENTS, 1001));
        }
    }

    @Test
    void repeatedRun_hasOneHandle_andReadsWhatEachRunWrote() {
        try (DeviceArena arena = withInputs()) {
            KernelProgram program = KernelArenas.sum(arena).copy(C, B).build();
            float[] sum = new float[ELEMENTS];
            RepeatedRun runs = program.repeated(into(C, sum));

            Transfer first = runs.begin();
            assertThat(first.await()).isEqualTo(ELEMENTS);
            assertThat(sum).isEqualTo(KernelArenas.ramp(ELEMENTS, 1001));
            Transfer second = runs.begin();
            assertThat(second.await()).isEqualTo(ELEMENTS);
            assertThat(sum).isEqualTo(KernelArenas.ramp(ELEMENTS, 1002));
            assertThat(second).isSameAs(first);
        }
    }

    @Test
    void repeatedRun_whilePending_isRefused_andGoesOnAfterACancel() {
        KernelSource slow = KernelSource.of("slow", """
                @group(0) @binding(0) var<storage, read_write> c: array<f32>;

                @compute @workgroup_size(1)
                fn main() {
                    var x = c[0];
                    for (var i = 0u; i < 4000000u; i++) { x = x * 0.5 + 1.0; }
                    c[0] = x;
                }
                """);
        try (DeviceArena arena = withInputs()) {
            Kernels kernels = kernels(arena);
            KernelProgram program = kernels.recorder()
                    .dispatch(kernels.compile(slow), Bindings.of(kernels.window(C)), Workgroups.of(1))
                    .build();
            float[] result = new float[ELEMENTS];
            RepeatedRun runs = program.repeated(into(C, result));
            Transfer read = runs.begin();
            // a busy machine may stop this thread until the device is done; the run then begins once more
            Throwable thrown = null;
            for (int attempt = 0; attempt < 50 && thrown == null; attempt++) {
                thrown = catchThrowable(runs::begin);
            }
            assertThat(thrown)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("await or cancel its read before the next");
            read.cancel();
            assertThat(runs.begin().await()).isEqualTo(ELEMENTS);
            assertThat(result[0]).isEqualTo(2);
        }
    }

    @Test
    void repeatedRun_ofAClosedArena_isRefused_andItsReadHasEnded() {
        DeviceArena arena = withInputs();
        KernelProgram program = KernelArenas.sum(arena).build();
        RepeatedRun runs = program.repeated(into(C, new float[ELEMENTS]));
        runs.begin().await();
        Transfer read = runs.begin();
        arena.close();
        assertThat(read.state()).isIn(Transfer.State.FAILED, Transfer.State.DONE);
        assertThatThrownBy(runs::begin).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void copy_overlappingValuesLongerThanBounceBuffer_isExact() {
        long bytes = 40L << 20;
        int shift = 64;
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, bytes - shift, shift, bytes - shift))) {
            int[] words = new int[(int) (bytes / 4)];
            Arrays.setAll(words, i -> i);
            for (boolean up : new boolean[] {true, false}) {
                arena.writeBytes(0, MemorySegment.ofArray(words));
                kernels(arena).recorder().copy(up ? A : B, up ? B : A).build().submit();
                int[] moved = new int[words.length];
                arena.readBytes(0, MemorySegment.ofArray(moved));
                int[] expected = words.clone();
                int by = shift / 4;
                System.arraycopy(words, up ? 0 : by, expected, up ? by : 0, words.length - by);
                assertThat(moved).isEqualTo(expected);
            }
        }
    }

    @Test
    void extraBuffersServeAsStorageAndAsUniform() {
        try (DeviceArena arena = withInputs()) {
            Kernels kernels = kernels(arena);
            KernelBuffer job = kernels.buffer("job", 8);
            KernelBuffer sum = kernels.buffer("sum", 4L * ELEMENTS);
            KernelProgram program = kernels.recorder()
                    .dispatch(kernels.compile(ADD), Bindings.of(kernels.window(A), kernels.window(B), sum, job), ALL)
                    .copy(sum, 0, kernels.window(C), 0, 4L * ELEMENTS)
                    .build();
            for (int scale = 1; scale < 4; scale++) {
                job.write(0, MemorySegment.ofArray(new int[] {ELEMENTS, Float.floatToRawIntBits(scale)}));
                program.submit();
                float[] read = new float[ELEMENTS];
                sum.read(0, MemorySegment.ofArray(read));
                assertThat(read).isEqualTo(KernelArenas.ramp(ELEMENTS, 1 + 1000 * scale));
                assertThat(arena.readOutputF32(C, DType.F32, ELEMENTS)).isEqualTo(read);
            }
        }
    }

    @Test
    void aWindowCoversItsValues() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            Window window = kernels.window(B, C);
            assertThat(window.offset()).isEqualTo(4096);
            assertThat(window.offsetOf(C)).isEqualTo(4096);
            assertThat(window.bytes()).isEqualTo(8096);
        }
    }

    @Test
    void compile_otherConstants_isAnotherKernel() {
        KernelSource source = KernelSource.of("fill", """
                @group(1) @binding(7) var<storage, read_write> out: array<f32>;
                /* a comment /* in a comment: @group(0) @binding(0) var<storage> no: u32; */ */
                override value: f32;
                @id(4) override times: f32 = 1.0;
                @compute @workgroup_size(64)
                fn other() {}
                @compute @workgroup_size(64)
                fn fill(@builtin(global_invocation_id) id: vec3<u32>) {
                    if (id.x < arrayLength(&out)) { out[id.x] = value * times; }
                }
                """).withEntryPoint("fill");
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            Bindings out = Bindings.none().with(1, 7, kernels.window(A));
            float[] filled = new float[1];
            kernels.recorder()
                    .dispatch(kernels.compile(source.withConstant("value", 3)), out, ALL)
                    .build()
                    .run(into(A, filled));
            assertThat(filled[0]).isEqualTo(3);
            kernels.recorder()
                    .dispatch(kernels.compile(source.withConstant("value", 3).withConstant("times", 5)), out, ALL)
                    .build()
                    .run(into(A, filled));
            assertThat(filled[0]).isEqualTo(15);
        }
    }

    @Test
    void mirror_afterKernelWrite_isStaleUntilRefreshed() {
        try (DeviceArena arena = withInputs()) {
            requireShadow();
            Kernels kernels = kernels(arena);
            KernelArenas.sum(arena).build().submit();
            assertThat(shadow(arena).isStale(C)).isTrue();
            assertThat(shadow(arena).isStale(A)).isFalse();

            float[] widened = new float[ELEMENTS];
            kernels.recorder()
                    .refresh(C)
                    .dispatch(kernels.compile(WIDEN), Bindings.of(kernels.shadowWindow(C), kernels.window(A)), ALL)
                    .build()
                    .run(into(A, widened));
            assertThat(shadow(arena).isStale(C)).isFalse();
            assertThat(shadow(arena).isStale(A)).isTrue();
            for (int i = 0; i < ELEMENTS; i++) {
                assertThat(widened[i]).isEqualTo(Float.float16ToFloat(Float.floatToFloat16(i * 1001f)));
            }
        }
    }

    @Test
    void dispatchWriting_otherMirrors_stayFresh() {
        try (DeviceArena arena = withInputs()) {
            requireShadow();
            Kernels kernels = kernels(arena);
            kernels.recorder()
                    .dispatchWriting(
                            kernels.compile(ADD),
                            Bindings.of(
                                    kernels.window(A),
                                    kernels.window(B),
                                    kernels.window(C),
                                    kernels.uniform(ELEMENTS, 0)),
                            ALL,
                            B)
                    .build()
                    .submit();
            assertThat(shadow(arena).isStale(B)).isTrue();
            assertThat(shadow(arena).isStale(C)).isFalse();
            wgpu(arena).markWritten(C);
            assertThat(shadow(arena).isStale(C)).isTrue();
        }
    }

    @Test
    void aProgramThatReadsAStaleMirrorDoesNotRun() {
        try (DeviceArena arena = withInputs()) {
            requireShadow();
            Kernels kernels = kernels(arena);
            KernelProgram program = kernels.recorder()
                    .dispatch(kernels.compile(WIDEN), Bindings.of(kernels.shadowWindow(C), kernels.window(A)), ALL)
                    .build();
            program.submit();
            wgpu(arena).markWritten(C);
            assertThatThrownBy(program::submit)
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("the f16 mirror of node 2 is stale; refresh it first");
            shadow(arena).refresh(C);
            program.submit();
        }
    }

    private static void requireShadow() {
        if (!TestArenas.device().capabilities().contains(Capability.F16_SHADOW)) {
            throw Needs.missing("device with an f16 shadow");
        }
    }

    @Test
    void withoutAShadowItsWindowsAreRefused() {
        try (DeviceArena arena = KernelArenas.open(
                TestArenas.plan(0, 64), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF))) {
            requireShadow();
            assertThatThrownBy(() -> kernels(arena).shadowWindow(A))
                    .isExactlyInstanceOf(UnsupportedOperationException.class)
                    .hasMessage(
                            "F16_SHADOW: expected an arena with a shadow, got 'test' without; open it with another F16ShadowMode, on a device with that capability");
        }
    }

    @Test
    void time_returnsOneTimePerDispatch() {
        try (DeviceArena arena = withInputs()) {
            Kernels kernels = kernels(arena);
            if (!kernels.facts().hasTimestamps()) {
                throw Needs.missing("device with timestamps");
            }
            Kernel add = kernels.compile(ADD);
            KernelProgram program = kernels.recorder()
                    .dispatch(add, addition(kernels, A, B, C, 1), ALL)
                    .copy(C, A)
                    .dispatch(add, addition(kernels, A, B, C, 1), ALL)
                    .build();
            assertThat(program.steps()).isEqualTo(3);
            assertThat(program.time())
                    .hasSize(2)
                    .allSatisfy(time -> assertThat(time.label()).isEqualTo("add"))
                    .allSatisfy(time -> assertThat(time.nanos()).isNotNegative());
            assertThat(arena.readOutputF32(C, DType.F32, ELEMENTS)).isEqualTo(KernelArenas.ramp(ELEMENTS, 2001));
        }
    }

    @Test
    void threadsMayRunOneProgramAtATime() throws InterruptedException {
        try (DeviceArena arena = withInputs()) {
            KernelProgram program = KernelArenas.sum(arena).build();
            float[][] sums = new float[4][ELEMENTS];
            Thread[] threads = new Thread[sums.length];
            for (int i = 0; i < threads.length; i++) {
                Batch batch = into(C, sums[i]);
                threads[i] = Thread.ofPlatform().start(() -> {
                    for (int round = 0; round < 200; round++) {
                        program.run(batch);
                    }
                });
            }
            for (int i = 0; i < threads.length; i++) {
                threads[i].join();
                assertThat(sums[i]).isEqualTo(KernelArenas.ramp(ELEMENTS, 1001));
            }
        }
    }

    @Test
    void handles_submittedWork_isOrderedWithTheArena() {
        try (DeviceArena arena = withInputs()) {
            WgpuHandles handles = wgpu(arena).handles();
            assertThat(handles.library()).exists();
            arena.flush();
            clear(handles, 4096, 4L * ELEMENTS / 2);
            wgpu(arena).markWritten(B);

            float[] half = KernelArenas.ramp(ELEMENTS, 1000);
            Arrays.fill(half, 0, ELEMENTS / 2, 0);
            assertThat(arena.readOutputF32(B, DType.F32, ELEMENTS)).isEqualTo(half);
            assertThat(arena.readOutputF32(A, DType.F32, ELEMENTS)).isEqualTo(KernelArenas.ramp(ELEMENTS, 1));
            if (!handles.shadowSegments().isEmpty()) {
                assertThat(shadow(arena).isStale(B)).isTrue();
                assertThat(shadow(arena).isStale(A)).isFalse();
            }
        }
    }

    /** The calls of an engine with its own bindings. */
    private static void clear(WgpuHandles handles, long offset, long bytes) {
        MemorySegment encoder = WgpuNative.wgpuDeviceCreateCommandEncoder(handles.device(), MemorySegment.NULL);
        WgpuNative.wgpuCommandEncoderClearBuffer(encoder, handles.arena(), offset, bytes);
        MemorySegment commands = WgpuNative.wgpuCommandEncoderFinish(encoder, MemorySegment.NULL);
        try (Arena call = Arena.ofConfined()) {
            WgpuNative.wgpuQueueSubmit(handles.queue(), 1, call.allocateFrom(ValueLayout.ADDRESS, commands));
        }
        WgpuNative.wgpuCommandBufferRelease(commands);
        WgpuNative.wgpuCommandEncoderRelease(encoder);
    }

    /** Two values of one slot, as a plan gives them to an op in place. */
    @Test
    void aKernelInPlace_bindsItsSlotOnce() {
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, 4000, 0, 4000, 4096, 4000))) {
            Kernels kernels = kernels(arena);
            Kernel doubling = kernels.compile(KernelSource.of("double", """
                    @group(0) @binding(0) var<storage, read_write> x: array<f32>;
                    @compute @workgroup_size(64)
                    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                        if (id.x < 1000u) {
                            x[id.x] *= 2.0;
                        }
                    }
                    """));
            Workgroups all = Workgroups.covering(ELEMENTS, 64);
            KernelProgram inPlace = kernels.recorder()
                    .copy(A, B)
                    .dispatch(doubling, Bindings.of(kernels.window(B)), all)
                    .build();
            KernelProgram copied = kernels.recorder()
                    .copy(B, C)
                    .dispatch(doubling, Bindings.of(kernels.window(C)), all)
                    .build();
            arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, 1));
            inPlace.submit();
            copied.submit();
            assertThat(arena.readOutputF32(B, DType.F32, ELEMENTS)).isEqualTo(KernelArenas.ramp(ELEMENTS, 2));
            assertThat(arena.readOutputF32(C, DType.F32, ELEMENTS)).isEqualTo(KernelArenas.ramp(ELEMENTS, 4));
        }
    }
}
