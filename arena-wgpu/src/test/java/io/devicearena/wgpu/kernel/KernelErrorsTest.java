package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.CLOSED;
import static io.devicearena.wgpu.testing.KernelArenas.UNKNOWN;
import static io.devicearena.wgpu.testing.KernelArenas.WIDEN;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.wgpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import java.lang.foreign.MemorySegment;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid calls throw before the native call, and the arena stays usable. */
class KernelErrorsTest {
    private static final Workgroups ONE = Workgroups.of(1);

    private DeviceArena arena;
    private Kernels kernels;

    @BeforeEach
    void open() {
        arena = KernelArenas.open();
        kernels = kernels(arena);
    }

    @AfterEach
    void theArenaStillWorks() {
        if (arena.isOpen()) {
            arena.writeInputF32(A, DType.F32, new float[] {7});
            arena.writeInputF32(B, DType.F32, new float[] {5});
            float[] sum = new float[1];
            kernels.recorder()
                    .dispatch(kernels.compile(ADD), good(), ONE)
                    .build()
                    .run(Batch.builder().floats(C, DType.F32, sum).build());
            assertThat(sum[0]).isEqualTo(12);
            arena.close();
        }
    }

    private Bindings good() {
        return Bindings.of(
                kernels.window(A),
                kernels.window(B),
                kernels.window(C),
                kernels.uniform(1, Float.floatToRawIntBits(1)));
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    private void assertDispatchRefused(Bindings bindings, Workgroups workgroups, String message) {
        Kernel add = kernels.compile(ADD);
        assertRefused(() -> kernels.recorder().dispatch(add, bindings, workgroups), "kernel 'add': " + message);
    }

    private static Stream<Arguments> wrongSources() {
        return Stream.of(
                Arguments.of("""
                        @compute @workgroup_size(1)
                        fn main() {
                            let x = foo(1);
                        }
                        """, 3, 13, "kernel 'bad', line 3, column 13, 'let x = foo(1);': "),
                Arguments.of("""
                        @compute @workgroup_size(1)
                        fn main( {
                        }
                        """, 2, 10, "kernel 'bad', line 2, column 10, 'fn main( {': "),
                Arguments.of("""
                        @group(0) @binding(0) var<storage, read> x: array<f32>;
                        @compute @workgroup_size(1)
                        fn main() {
                            x[0] = 1.0;
                        }
                        """, 4, 5, "kernel 'bad', line 4, column 5, 'x[0] = 1.0;': "),
                Arguments.of(
                        """
                        fn half(x: f32) -> f32 { return x / 2u; }
                        @compute @workgroup_size(1)
                        fn main() {}
                        """, 1, 1, "kernel 'bad', line 1, column 1, 'fn half(x: f32) -> f32 { return x / 2u; }': "),
                Arguments.of(
                        "fn main() {}",
                        1,
                        4,
                        "kernel 'bad', line 1, column 4, 'fn main() {}': expected a @compute function in the source,"
                                + " got none"),
                Arguments.of(
                        """
                        @group(0) @binding(N) var<storage> x: array<f32>;
                        @compute @workgroup_size(1) fn main() {}
                        """,
                        1,
                        20,
                        "kernel 'bad', line 1, column 20, '@group(0) @binding(N) var<storage> x: array<f32>;': 'x':"
                                + " expected a number for @binding, got N; write the number itself"),
                Arguments.of(
                        """
                        @binding(0) var<storage> x: array<f32>;
                        @compute @workgroup_size(1) fn main() {}
                        """,
                        1,
                        26,
                        "kernel 'bad', line 1, column 26, '@binding(0) var<storage> x: array<f32>;': 'x': expected a"
                                + " number for @group, got nothing; write the number itself"),
                Arguments.of(
                        """
                        @group(0) @binding(0) var x: texture_2d<f32>;
                        @compute @workgroup_size(1) fn main() {}
                        """,
                        1,
                        27,
                        "kernel 'bad', line 1, column 27, '@group(0) @binding(0) var x: texture_2d<f32>;': 'x': expected"
                                + " a buffer, var<storage> or var<uniform>, got a texture or sampler"));
    }

    @ParameterizedTest(name = "line {1}, column {2}")
    @MethodSource("wrongSources")
    void compile_invalidSource_messageHasItsPosition(String wgsl, int line, int column, String message) {
        KernelSourceException thrown =
                catchThrowableOfType(KernelSourceException.class, () -> kernels.compile(KernelSource.of("bad", wgsl)));
        assertThat(thrown).hasMessageStartingWith(message);
        assertThat(thrown.line()).isEqualTo(line);
        assertThat(thrown.column()).isEqualTo(column);
    }

    @Test
    void compile_invalidSource_messageEndsWithTheReportOfTheCompiler() {
        assertThatThrownBy(() ->
                        kernels.compile(KernelSource.of("bad", "@compute @workgroup_size(1)\nfn main() { foo(); }")))
                .isExactlyInstanceOf(KernelSourceException.class)
                .hasMessage("""
                        kernel 'bad', line 2, column 13, 'fn main() { foo(); }': expected a source that compiles, got \
                        this report of the compiler:
                        Validation Error

                        Caused by:
                          In wgpuDeviceCreateShaderModuleTrusted, label = 'bad'
                        \s\s\s\s
                        Shader 'bad' parsing error: no definition in scope for identifier: `foo`
                          ┌─ wgsl:2:13
                          │
                        2 │ fn main() { foo(); }
                          │             ^^^ unknown identifier""");
    }

    @Test
    void compile_unknownConstantOrEntryPoint_isRefused() {
        assertRefused(
                () -> kernels.compile(ADD.withConstant("x", 1)),
                "kernel 'add': expected a constant that its source declares with override, one of [], got 'x'");
        assertRefused(
                () -> kernels.compile(ADD.withEntryPoint("x")),
                "kernel 'add': expected one of the @compute functions 'main', got 'x'");
        assertRefused(
                () -> kernels.compile(KernelSource.of(
                        "k", "@compute @workgroup_size(1) fn a() {} @workgroup_size(1) @compute fn b() {}")),
                "kernel 'k': expected a choice between the @compute functions 'a', 'b', got none; call withEntryPoint");
    }

    @Test
    void aMissingOrUnknownBindingIsRefused() {
        assertDispatchRefused(
                Bindings.of(kernels.window(A), kernels.window(B), kernels.window(C)),
                ONE,
                "expected a binding for each declaration that it uses, got none for @group(0) @binding(3) 'job'");
        assertDispatchRefused(
                good().with(1, 0, kernels.window(A)),
                ONE,
                "expected bindings that its source declares, [@group(0) @binding(0) 'a', @group(0) @binding(1) 'b',"
                        + " @group(0) @binding(2) 'c', @group(0) @binding(3) 'job'], got group 1, binding 0");
    }

    @Test
    void dispatch_bindingOfWrongKind_isRefused() {
        assertDispatchRefused(
                good().with(0, 3, kernels.window(A)),
                ONE,
                "expected a uniform or an extra buffer for @group(0) @binding(3) 'job', var<uniform>, got a window of the"
                        + " arena");
        assertDispatchRefused(
                good().with(0, 2, kernels.uniform(1)),
                ONE,
                "expected a window or an extra buffer for @group(0) @binding(2) 'c', var<storage, read_write>, got a"
                        + " uniform");
    }

    @Test
    void dispatch_uniformLongerThanTheLimit_isRefused() {
        long most = kernels.facts().maxUniformBytes();
        Assumptions.assumeTrue(most < 1 << 30, "long uniforms");
        long bytes = (most & -16) + 16;
        assertDispatchRefused(
                good().with(0, 3, kernels.buffer("long", bytes)),
                ONE,
                "expected at most " + most
                        + " bytes (maxUniformBufferBindingSize) for @group(0) @binding(3) 'job', got " + bytes
                        + "; declare it as var<storage, read>");
    }

    @Test
    void dispatch_bufferLongerThanABinding_isRefused() {
        KernelFacts facts = kernels.facts();
        long bytes = (facts.maxBindingBytes() & -16) + 16;
        Assumptions.assumeTrue(bytes <= Math.min(facts.maxBufferBytes(), 1 << 30), "large buffers");
        assertDispatchRefused(
                good().with(0, 2, kernels.buffer("long", bytes)),
                ONE,
                "expected at most " + facts.maxBindingBytes()
                        + " bytes (maxStorageBufferBindingSize) for @group(0) @binding(2) 'c', got " + bytes
                        + "; bind several shorter ones");
    }

    @Test
    void dispatch_bindingShorterThanItsType_isRefused() {
        Kernel large = kernels.compile(KernelSource.of("large", """
                @group(0) @binding(0) var<storage, read_write> x: array<vec4<f32>, 100000>;
                @compute @workgroup_size(1) fn main() { x[7].x = 1.0; }
                """));
        assertRefused(
                () -> kernels.recorder().dispatch(large, Bindings.of(kernels.window(A)), ONE),
                "kernel 'large': expected at least 1600000 bytes for @group(0) @binding(0) 'x' of type"
                        + " array<vec4<f32>, 100000>, got a window of the arena of 4000 bytes; bind a longer range, or"
                        + " declare an array without a length");
        assertDispatchRefused(
                good().with(0, 3, kernels.uniform(1)),
                ONE,
                "expected at least 8 bytes for @group(0) @binding(3) 'job' of type Job, got a uniform of 4 bytes; pass"
                        + " each member, and padding as WGSL lays it out");
        kernels.recorder().dispatch(kernels.compile(ADD), good().with(0, 3, kernels.uniform(1, 2, 3)), ONE);
    }

    @Test
    void dispatch_bindingsShareWrittenBytes_isRefused() {
        assertDispatchRefused(
                good().with(0, 1, kernels.window(C)),
                ONE,
                "expected bindings that share no bytes if one of them writes, got node 2 (bytes 8192 to 12192) at"
                        + " @group(0) @binding(1) 'b', and node 2 (bytes 8192 to 12192) at @group(0) @binding(2) 'c', which"
                        + " writes; bind these bytes once, as read_write");
        KernelBuffer buffer = kernels.buffer("extra", 4000);
        assertDispatchRefused(
                good().with(0, 2, buffer).with(0, 3, buffer),
                ONE,
                "expected bindings that share no bytes if one of them writes, got an extra buffer (bytes 0 to 4000) at"
                        + " @group(0) @binding(2) 'c', which writes, and an extra buffer (bytes 0 to 4000) at @group(0)"
                        + " @binding(3) 'job'; bind these bytes once, as read_write");
    }

    @Test
    void dispatch_writableWindowsOverlap_isRefused() {
        Kernel swap = kernels.compile(KernelSource.of("swap", """
                @group(0) @binding(0) var<storage, read_write> x: array<f32>;
                @group(0) @binding(1) var<storage, read_write> y: array<f32>;
                @compute @workgroup_size(1) fn main() { let old = x[0]; x[0] = y[0]; y[0] = old; }
                """));
        assertRefused(
                () -> kernels.recorder().dispatch(swap, Bindings.of(kernels.window(A, B), kernels.window(B, C)), ONE),
                "kernel 'swap': expected bindings that share no bytes if one of them writes, got node 1 (bytes 4096 to"
                        + " 8096) at @group(0) @binding(0) 'x', which writes, and node 1 (bytes 4096 to 8096) at @group(0)"
                        + " @binding(1) 'y', which writes; bind these bytes once, as read_write");
        kernels.recorder()
                .dispatch(swap, Bindings.of(kernels.window(A), kernels.window(C)), ONE)
                .build()
                .submit();
    }

    @Test
    void dispatch_tooManyWorkgroups_isRefused() {
        int most = kernels.facts().maxWorkgroups();
        assertDispatchRefused(
                good(),
                Workgroups.of(most + 1),
                "expected 1 to " + most + " workgroups along x, got " + (most + 1)
                        + "; use more axes, or let each invocation do more");
        assertDispatchRefused(
                good(),
                new Workgroups(1, 1, 0),
                "expected 1 to " + most + " workgroups along z, got 0; use more axes, or let each invocation do more");
    }

    @Test
    void windowsOfNothingAndOfUnknownValuesAreRefused() {
        assertRefused(() -> kernels.window(), "window: expected 1 or more values to cover, got none");
        assertRefused(
                () -> kernels.window(A, UNKNOWN),
                "node 99: expected one of the 3 values of the plan, got one it does not know; use a value for which"
                        + " hasBuffer is true");
        assertRefused(
                () -> kernels.window(A).offsetOf(C),
                "node 2: expected a value within the window of 4000 bytes at 0, got one that is not");
    }

    @Test
    void copiesOutOfRangeOrInPartsOfWordsAreRefused() {
        Window a = kernels.window(A);
        Window b = kernels.window(B);
        assertRefused(
                () -> kernels.recorder().copy(a, 0, b, 4, 4000),
                "to: expected a range within its 4000 bytes, got offset 4 and length 4000");
        assertRefused(
                () -> kernels.recorder().copy(a, 2, b, 0, 4),
                "copy: expected offsets and length in multiples of 4, got 4 bytes from 2 to 0");
        assertRefused(
                () -> kernels.recorder().copy(kernels.uniform(1), 0, b, 0, 4),
                "from: expected a window or an extra buffer, got a uniform");
    }

    @Test
    void buffersAndUniformsHaveLimits() {
        assertThatThrownBy(() -> kernels.buffer("x", 0))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("buffer 'x': expected 1 to ")
                .hasMessageEndingWith(" bytes (maxBufferSize), got 0");
        assertRefused(
                () -> kernels.uniform(),
                "uniform: expected 1 to 65536 bytes, got none; put large tables into a buffer");
        assertRefused(
                () -> kernels.uniform(MemorySegment.ofArray(new byte[65537])),
                "uniform: expected 1 to 65536 bytes, got more; put large tables into a buffer");
        KernelBuffer buffer = kernels.buffer("x", 100);
        assertThat(buffer.bytes()).isEqualTo(112);
        assertRefused(
                () -> buffer.write(2, MemorySegment.ofArray(new int[1])),
                "range: expected offset and length in multiples of 4, got offset 2 and length 4");
        assertRefused(
                () -> buffer.read(112, MemorySegment.ofArray(new int[1])),
                "range: expected one within the buffer of 112 bytes, got offset 112 and length 4");
    }

    @Test
    void kernelsAndBindingsOfAnotherArenaAreRefused() {
        try (DeviceArena other = KernelArenas.open()) {
            assertDispatchRefused(
                    good().with(0, 0, kernels(other).window(A)),
                    ONE,
                    "expected a binding of this arena, got one of another arena for @group(0) @binding(0) 'a'");
            Kernel foreign = kernels(other).compile(ADD);
            assertRefused(
                    () -> kernels.recorder().dispatch(foreign, good(), ONE),
                    "kernel 'add': expected a kernel of this arena, got one of another arena");
        }
    }

    @Test
    void dispatch_mirrorMadeStaleByEarlierStep_isRefused() {
        if (arena.device().capabilities().contains(io.devicearena.Capability.F16_SHADOW)) {
            Kernel widen = kernels.compile(WIDEN);
            Recorder recorder = kernels.recorder().dispatch(kernels.compile(ADD), good(), ONE);
            assertRefused(
                    () -> recorder.dispatch(widen, Bindings.of(kernels.shadowWindow(C), kernels.window(A)), ONE),
                    "node 2: expected a fresh f16 mirror, got one that an earlier step made stale; refresh it first");
            assertThat(recorder.build().steps()).isEqualTo(1);
        }
    }

    @Test
    void run_invalidReads_areRefusedBeforeTheRun() {
        KernelProgram program =
                kernels.recorder().dispatch(kernels.compile(ADD), good(), ONE).build();
        assertRefused(
                () -> program.run(Batch.builder()
                        .bytes(12190, MemorySegment.ofArray(new byte[10]))
                        .build()),
                "range: expected one within the arena of 12192 bytes, got offset 12190 and length 10; sizeBytes is the"
                        + " size of plan and scratch together");
        assertRefused(
                () -> program.run(
                        Batch.builder().floats(UNKNOWN, DType.F32, new float[1]).build()),
                "node 99: expected one of the 3 values of the plan, got one it does not know; use a value for which"
                        + " hasBuffer is true");
    }

    @Test
    void nothingRunsOnAClosedArena() {
        Kernel add = kernels.compile(ADD);
        Bindings bindings = good();
        Recorder recorder = kernels.recorder().dispatch(add, bindings, ONE);
        KernelProgram program = recorder.build();
        KernelBuffer buffer = kernels.buffer("x", 16);
        arena.close();
        Stream.<ThrowingCallable>of(
                        program::submit,
                        program::time,
                        () -> program.run(Batch.builder().build()),
                        () -> recorder.dispatch(add, bindings, ONE),
                        () -> recorder.copy(A, B),
                        recorder::build,
                        () -> kernels.compile(ADD),
                        () -> kernels.window(A),
                        () -> kernels.uniform(1),
                        () -> kernels.buffer("x", 16),
                        () -> buffer.write(0, MemorySegment.ofArray(new int[1])),
                        () -> buffer.read(0, MemorySegment.ofArray(new int[1])),
                        () -> kernels(arena),
                        () -> wgpu(arena).handles(),
                        () -> wgpu(arena).markWritten(A))
                .forEach(call -> assertThatThrownBy(call)
                        .isExactlyInstanceOf(IllegalStateException.class)
                        .hasMessage(CLOSED));
    }
}
