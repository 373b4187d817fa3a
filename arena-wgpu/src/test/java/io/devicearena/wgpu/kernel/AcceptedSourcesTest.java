package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Valid sources compile as written and, with a read binding changed to read_write, run. Both bindings are windows of
 * one segment, so that each dispatch needs the change. The input is 2, 3, 4 and so on.
 */
class AcceptedSourcesTest {
    private static final String BINDINGS = """
            @group(0) @binding(0) var<storage, read> x: array<f32>;
            @group(0) @binding(1) var<storage, read_write> y: array<f32>;
            """;
    private static final String MAIN = "@compute @workgroup_size(1) fn main() ";

    private static DeviceArena arena;

    @BeforeAll
    static void open() {
        arena = KernelArenas.open();
        arena.writeInputF32(A, DType.F32, new float[] {2, 3, 4, 5});
    }

    @AfterAll
    static void close() {
        arena.close();
    }

    private static Arguments source(String name, float expected, String wgsl) {
        return Arguments.of(name, expected, KernelSource.of("k", wgsl));
    }

    private static Arguments bindings(String name, String first, String second) {
        return source(name, 2, first + "\n" + second + "\n" + MAIN + "{ y[0] = x[0]; }");
    }

    private static Arguments body(String name, float expected, String statements) {
        return source(name, expected, BINDINGS + MAIN + "{\n" + statements + "\n}");
    }

    private static Stream<Arguments> declarations() {
        String second = "@group(0) @binding(1) var<storage, read_write> y: array<f32>;";
        return Stream.of(
                bindings("read", "@group(0) @binding(0) var<storage, read> x: array<f32>;", second),
                bindings("no spaces", "@group(0)@binding(0)var<storage,read>x:array<f32>;", second),
                bindings("default access", "@group(0) @binding(0) var<storage> x: array<f32>;", second),
                bindings(
                        "odd spaces",
                        "@ group ( 0 ) @\tbinding\n( 0 ) var < storage , read > x : array < f32 > ;",
                        second),
                bindings("commas at the ends", "@group(0,) @binding(0,) var<storage, read,> x: array<f32,>;", second),
                bindings(
                        "comments",
                        "@group(/* 1 */ 0) @binding(0) // var<storage> z: u32;\nvar</*read_write*/storage, // x\nread> x: array<f32>;",
                        second),
                bindings(
                        "commented variable",
                        "// @group(0) @binding(0) var<storage, read_write> x: u32;\n@group(0) @binding(0) var<storage, read> x: array<f32>;",
                        second),
                bindings(
                        "attributes in another order",
                        "@binding(0) @group(0) var<storage, read> x: array<f32>;",
                        second),
                bindings(
                        "suffix and hexadecimal",
                        "@group(0u) @binding(0x0i) var<storage, read> x: array<f32>;",
                        second),
                bindings(
                        "constants as numbers",
                        "const A = 1; const B = A - 1;\n@group(B) @binding(A - 1) var<storage, read> x: array<f32>;",
                        second),
                bindings(
                        "alias of the type",
                        "alias F = f32; alias Many = array<F>;\n@group(0) @binding(0) var<storage, read> x: Many;",
                        second),
                source("struct", 3, """
                        struct Row { head: f32, @align(4) tail: array<f32>, }
                        @group(0) @binding(0) var<storage, read> x: Row;
                        @group(0) @binding(1) var<storage, read_write> y: array<f32>;
                        @compute @workgroup_size(1) fn main() { y[0] = x.tail[0]; }
                        """),
                source("names with read in them", 2, """
                        struct ready { read: f32, read_write: f32, storage: f32 }
                        @group(0) @binding(0) var<storage, read> reader: array<ready>;
                        @group(0) @binding(1) var<storage, read_write> read_writer: array<f32>;
                        @compute @workgroup_size(1) fn main() { let read = reader[0].read; read_writer[0] = read; }
                        """),
                source("unicode names", 2, """
                        @group(0) @binding(0) var<storage, read> größe: array<f32>;
                        @group(0) @binding(1) var<storage, read_write> δ漢字: array<f32>;
                        @compute @workgroup_size(1) fn main() { δ漢字[0] = größe[0]; }
                        """),
                source("CRLF", 2, (BINDINGS + "// comment\n" + MAIN + "{\n y[0] = x[0];\n}\n").replace("\n", "\r\n")),
                source("byte order mark", 2, "\uFEFF" + BINDINGS + MAIN + "{ y[0] = x[0]; }"),
                source(
                        "nested comments",
                        2,
                        "/* a /* @compute fn b() { */ /**/ */" + BINDINGS + MAIN + "{ y[0] = /* /* 1 */ */ x[0]; }"),
                Arguments.of(
                        "two entry points",
                        3f,
                        KernelSource.of("k", BINDINGS + """
                        @compute @workgroup_size(1) fn first() { y[0] = x[0]; }
                        @workgroup_size(1) @compute fn second() { y[0] = x[1]; }
                        """).withEntryPoint("second")),
                Arguments.of(
                        "one number for bindings of two entry points",
                        3f,
                        KernelSource.of("k", BINDINGS + """
                        @group(0) @binding(0) var<storage, read> words: array<vec2<f32>>;
                        @compute @workgroup_size(1) fn first() { y[0] = x[0]; }
                        @compute @workgroup_size(1) fn second() { y[0] = words[0].y; }
                        """).withEntryPoint("second")),
                Arguments.of(
                        "a binding that another entry point alone uses",
                        3f,
                        KernelSource.of("k", BINDINGS + """
                        @group(0) @binding(2) var<storage, read> more: array<f32>;
                        @compute @workgroup_size(1) fn first() { y[0] = more[0]; }
                        fn through() -> f32 { return x[1]; }
                        @compute @workgroup_size(1) fn second() { y[0] = through(); }
                        """).withEntryPoint("second")),
                source("unused binding", 1, BINDINGS + MAIN + "{ y[0] = 1.0; }"));
    }

    private static Stream<Arguments> pointers() {
        return Stream.of(
                body("pointer", 2, "let p = &x; y[0] = (*p)[0];"),
                body("pointer with a type", 2, "let p: ptr<storage, array<f32>, read> = &x; y[0] = (*p)[0];"),
                body("pointer with the default access", 2, "let p : ptr<storage,array<f32>> = &x;\ny[0] = (*p)[0];"),
                body(
                        "pointer to an element",
                        3,
                        "let p: ptr<storage, f32, read> = &x[1]; let q: ptr<storage, f32, read> = &*p; y[0] = *q;"),
                body(
                        "pointer to a written binding",
                        2,
                        "let p: ptr<storage, array<f32>, read_write> = &y; (*p)[0] = x[0];"),
                body(
                        "pointers of both",
                        2,
                        "let p: ptr<storage, f32, read> = &x[0]; let q: ptr<storage, f32, read_write> = &y[0]; *q = *p;"),
                source(
                        "pointer of an alias",
                        2,
                        "alias P = ptr<storage, array<f32>, read>; alias Q = P;\n" + BINDINGS + MAIN
                                + "{ let p: Q = &x; y[0] = (*p)[0]; }"),
                body("pointer of a function", 7, "var v: f32 = 7; let p: ptr<function, f32> = &v; y[0] = *p;"),
                source(
                        "pointer as parameter",
                        2,
                        BINDINGS + "fn first(p: ptr<function, f32>) -> f32 { return *p; }\n" + MAIN
                                + "{ var v = x[0]; y[0] = first(&v); }"));
    }

    private static Stream<Arguments> language() {
        return Stream.of(
                source(
                        "diagnostic",
                        2,
                        "diagnostic(off, derivative_uniformity);\n" + BINDINGS
                                + "@diagnostic(off, derivative_uniformity)\n" + MAIN + "{ y[0] = x[0]; }"),
                source(
                        "requires",
                        2,
                        "requires readonly_and_readwrite_storage_textures, pointer_composite_access;\n" + BINDINGS
                                + MAIN + "{ let p = &x; y[0] = p[0]; }"),
                source(
                        "const_assert",
                        4,
                        "const N = 4; const_assert N > 3;\n" + BINDINGS + MAIN
                                + "{ const_assert N < 5; y[0] = f32(N); }"),
                source(
                        "nested templates",
                        2,
                        BINDINGS + "var<private> m: array<array<vec2<f32>, 2>, (8 >> 2)>;\n" + MAIN
                                + "{ m[1][1] = vec2<f32>(x[0]); y[0] = m[1][1].x; }"),
                source(
                        "comparisons like templates",
                        1,
                        BINDINGS + MAIN
                                + "{ let a = 1; let b = 2; let c = 3; let d: bool = a < b && (c > (b)); y[0] = select(0.0, 1.0, d); }"),
                source(
                        "alias of a vector",
                        3,
                        "alias V = vec4<f32>;\n" + BINDINGS + MAIN + "{ let v = V(x[0], x[1], 0, 0); y[0] = v.y; }"),
                source(
                        "module constants",
                        8,
                        "const A = 2; const B: u32 = A * 4;\n" + BINDINGS + MAIN + "{ y[0] = f32(B); }"),
                source(
                        "workgroup size of constants",
                        2,
                        "const W = 2u;\n" + BINDINGS
                                + "@compute @workgroup_size(W * 2, 1) fn main(@builtin(local_invocation_index) i: u32) { if (i == 3u) { y[0] = x[0]; } }"),
                source(
                        "workgroup memory",
                        5,
                        BINDINGS
                                + "const N = 16; var<workgroup> tile: array<vec4<f32>, N>; var<workgroup> n: atomic<u32>;\n"
                                + MAIN
                                + "{ tile[N - 1].x = x[3]; atomicAdd(&n, 1u); workgroupBarrier(); y[0] = tile[15].x; }"),
                source("semicolons", 2, ";" + BINDINGS + ";" + MAIN + "{ ; y[0] = x[0]; };"),
                body(
                        "loops and switch",
                        6,
                        "var s = 0.0; for (var i = 0; i < 3; i++) { switch i { case 0, 1: { s += x[0]; } default: { s += 2.0; } } } y[0] = s;"),
                body("increments and shifts", 8, "var s = 1u; s <<= 2u; s = s >> 1u; s++; y[0] = f32(s + 5u);"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"declarations", "pointers", "language"})
    void run_validSource_writesItsResult(String name, float expected, KernelSource source) {
        assertThat(run(source)).as(name).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subgroups")
    void run_sourceWithSubgroups_runsWhereTheDeviceHasThem(String name, float expected, KernelSource source) {
        assumeTrue(kernels(arena).facts().hasSubgroups());
        assertThat(run(source)).as(name).isEqualTo(expected);
    }

    private static Stream<Arguments> subgroups() {
        String kernel = BINDINGS + MAIN + "{ y[0] = subgroupAdd(x[0]); }";
        return Stream.of(
                source("enable", 2, "enable subgroups;\n" + kernel),
                source("requires", 2, "enable subgroups;\nrequires subgroup_id, pointer_composite_access;\n" + kernel),
                source("in a comment", 2, "// enable subgroups;\n" + kernel),
                source("twice", 2, "enable subgroups, subgroups; enable subgroups;\n" + kernel));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("halves")
    void run_sourceWithF16_runsWhereTheDeviceHasIt(String name, float expected, KernelSource source) {
        assumeTrue(kernels(arena).facts().hasShaderF16());
        assumeTrue(kernels(arena).facts().hasSubgroups());
        assertThat(run(source)).as(name).isEqualTo(expected);
    }

    private static Stream<Arguments> halves() {
        String kernel = BINDINGS + MAIN + "{ y[0] = f32(f16(x[0]) * 2.0h); }";
        return Stream.of(
                source("f16", 4, "enable f16;\n" + kernel),
                source("before", 4, "enable f16, subgroups;\n" + kernel),
                source("behind", 4, "enable subgroups, f16;\n" + kernel),
                source("around", 4, "enable f16, /* a */ subgroups, f16, subgroups,;\n" + kernel));
    }

    static float run(KernelSource source) {
        Kernels kernels = kernels(arena);
        float[] result = new float[1];
        kernels.recorder()
                .dispatch(kernels.compile(source), Bindings.of(kernels.window(A), kernels.window(C)), Workgroups.of(1))
                .build()
                .run(Batch.builder().floats(C, DType.F32, result).build());
        return result[0];
    }
}
