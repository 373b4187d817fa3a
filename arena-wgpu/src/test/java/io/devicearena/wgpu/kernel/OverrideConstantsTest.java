package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Override constants work wherever WGSL allows them, and refuse values that their types do not have. */
class OverrideConstantsTest {
    private static final String OUT = "@group(0) @binding(0) var<storage, read_write> y: array<f32>;\n";
    private static final String MAIN = "@compute @workgroup_size(1) fn main() ";

    private static DeviceArena arena;

    @BeforeAll
    static void open() {
        arena = KernelArenas.open();
    }

    @AfterAll
    static void close() {
        arena.close();
    }

    private static Arguments source(String name, double expected, Map<String, Double> constants, String wgsl) {
        return Arguments.of(name, (float) expected, new KernelSource("k", OUT + wgsl, "", constants));
    }

    private static Arguments value(
            String name, double expected, Map<String, Double> constants, String declarations, String value) {
        return source(name, expected, constants, declarations + "\n" + MAIN + "{ y[0] = " + value + "; }");
    }

    private static Stream<Arguments> constants() {
        return Stream.of(
                value("u32", 4294967295.0, Map.of("n", 4294967295.0), "override n: u32;", "f32(n)"),
                value("i32", -2147483648.0, Map.of("n", -2147483648.0), "override n: i32;", "f32(n)"),
                value("f32", 0.1f, Map.of("n", 0.1), "override n: f32;", "n"),
                value("small f32", 1e-30, Map.of("n", 1e-30), "override n: f32;", "n"),
                value("largest f32", Float.MAX_VALUE, Map.of("n", (double) Float.MAX_VALUE), "override n: f32;", "n"),
                value("true", 2, Map.of("n", 1.0), "override n: bool;", "select(1.0, 2.0, n)"),
                value("false", 1, Map.of("n", 0.0), "override n: bool = true;", "select(1.0, 2.0, n)"),
                value("alias", 3, Map.of("n", 3.0), "alias U = u32; alias V = U; override n: V = 1u;", "f32(n)"),
                value("no type, whole", 3, Map.of("n", 3.0), "override n = 4;", "f32(n / 1i)"),
                value("no type, fraction", 0.5, Map.of("n", 0.5), "override n = 4.0;", "n / 1f"),
                value("no type, logical", 2, Map.of("n", 1.0), "override n = false;", "select(1.0, 2.0, n)"),
                value("no type, suffix", 6, Map.of("n", 6.0), "override n = 4u;", "f32(n + 0u)"),
                value(
                        "default of another type, which the compiler infers",
                        8,
                        Map.of(),
                        "const A = 2; override m = 4.0; override n = m * A;",
                        "n + 0f"),
                value("default", 4, Map.of(), "override n = 4;", "f32(n / 1i)"),
                value("default with a type", 4, Map.of(), "override n: f32 = 4;", "n"),
                value(
                        "default of other constants",
                        20,
                        Map.of("n", 10.0),
                        "override n: u32 = 4; override m: u32 = n * 2;",
                        "f32(m)"),
                value(
                        "default of a later constant",
                        20,
                        Map.of("n", 10.0),
                        "override m: u32 = n * 2; override n: u32 = 4;",
                        "f32(m)"),
                value("default over two lines", 7, Map.of(), "override n: u32 =\n  /* a */ 3 +\n  4;", "f32(n)"),
                value("value over two lines", 9, Map.of("n", 9.0), "override n: u32 =\n  /* a */ 3 +\n  4;", "f32(n)"),
                value(
                        "id",
                        5,
                        Map.of("n", 5.0),
                        "@id(12) override n: u32 = 4; @ id ( 1u, ) override m: u32 = 1;",
                        "f32(n)"),
                value(
                        "beside a vector of one value",
                        3,
                        Map.of("n", 2.0),
                        "override n: f32;",
                        "(vec4<f32>(1.0) + vec4<f32>(n)).x"),
                value(
                        "beside nested calls",
                        8,
                        Map.of("n", 2.0),
                        "override n: u32;",
                        "dot(vec4<f32>(vec2<f32>(1.0), vec2f(1)), vec4<f32>(f32(n)))"),
                value(
                        "in a module constant of a function",
                        6,
                        Map.of("n", 3.0),
                        "override n: u32;\nfn f(n: u32) -> u32 { let m = n * 2u; return m; }",
                        "f32(f(n))"),
                value(
                        "shadowed",
                        1,
                        Map.of("n", 3.0),
                        "override n: u32 = 5;\nfn f() -> f32 { let n = 1.0; return n; }",
                        "f() + f32(n) * 0.0"),
                value(
                        "length of an array",
                        64,
                        Map.of("n", 16.0),
                        "override n: u32 = 4; var<workgroup> a: array<vec4<f32>, n * 2>;",
                        "f32(n) * 4.0 + select(0.0, a[n].x, n == 0u)"),
                source(
                        "workgroup size",
                        2 * 3 * 4 - 1,
                        Map.of("n", 2.0, "m", 3.0),
                        "override n: u32 = 1; override m = 1; override k = 4;\n@compute @workgroup_size(n, m, k)\n"
                                + "fn main(@builtin(local_invocation_index) i: u32) { if (i == 23u) { y[0] = f32(i); } }"),
                source(
                        "loop bound and case",
                        12,
                        Map.of("n", 4.0),
                        "override n: u32;\n" + MAIN
                                + "{ var s = 0u; for (var i = 0u; i < n; i++) { s += 3u; } y[0] = f32(s); }"),
                source(
                        "without a value, unused",
                        1,
                        Map.of(),
                        "override n: u32;\nfn f() -> u32 { return 8u / n; }\n" + MAIN + "{ y[0] = 1.0; }"),
                value(
                        "in a comment",
                        4,
                        Map.of(),
                        "// override m: u32;\n/* override k: u32; */ override n = 4; // override n: f32;",
                        "f32(n)"),
                value(
                        "names with override in them",
                        4,
                        Map.of("override_", 4.0),
                        "override override_: u32; const overrides = 1;",
                        "f32(override_ * overrides)"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("constants")
    void run_sourceWithConstants_hasTheirValues(String name, float expected, KernelSource source) {
        assertThat(run(source)).as(name).isEqualTo(expected);
    }

    @Test
    void run_constantOfF16_isRounded() {
        assumeTrue(kernels(arena).facts().hasShaderF16());
        KernelSource source =
                KernelSource.of("k", "enable f16;\noverride n: f16 = 2.0;\n" + OUT + MAIN + "{ y[0] = f32(n); }");
        assertThat(run(source)).isEqualTo(2);
        assertThat(run(source.withConstant("n", 0.1))).isEqualTo(Float.float16ToFloat(Float.floatToFloat16(0.1f)));
        assertThat(run(source.withConstant("n", -65504))).isEqualTo(-65504);
        assertThatThrownBy(() -> run(source.withConstant("n", 70000)))
                .isInstanceOf(KernelSourceException.class)
                .hasMessage(
                        "kernel 'k', line 2, column 10, 'override n: f16 = 2.0;': expected a finite number of at most"
                                + " 65504 for the constant 'n' of type f16, got 70000");
    }

    private static Stream<Arguments> wrongValues() {
        String whole = "a whole number from 0 to 4294967295 for the constant 'n' of type u32, got ";
        String signed = "a whole number from -2147483648 to 2147483647 for the constant 'n' of type i32, got ";
        String finite = "a finite number of at most 3.4028235E38 for the constant 'n' of type f32, got ";
        String logical = "0 (false) or 1 (true) for the constant 'n' of type bool, got ";
        return Stream.of(
                Arguments.of("override n: u32;", 2.5, whole + "2.5"),
                Arguments.of("override n: u32 = 1;", -1.0, whole + "-1"),
                Arguments.of("override n: u32;", 4294967296.0, whole + "4294967296"),
                Arguments.of("override n: u32;", Double.NaN, whole + "NaN"),
                Arguments.of("override n = 1;", 0.5, signed + "0.5"),
                Arguments.of("override n: i32;", 2147483648.0, signed + "2147483648"),
                Arguments.of("override n = 0.5;", 1e39, finite + "1.0E39"),
                Arguments.of("override n: f32;", Double.POSITIVE_INFINITY, finite + "Infinity"),
                Arguments.of("override n: f32;", Double.NaN, finite + "NaN"),
                Arguments.of("override n: bool;", 2.0, logical + "2"),
                Arguments.of("override n = true;", 0.5, logical + "0.5"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("wrongValues")
    void compile_valueThatTheTypeDoesNotHave_isRefused(String declaration, double value, String message) {
        KernelSource source = KernelSource.of("k", "// a\n  " + declaration + "\n" + OUT + MAIN + "{ _ = n; }");
        assertThatThrownBy(() -> kernels(arena).compile(source.withConstant("n", value)))
                .isInstanceOfSatisfying(KernelSourceException.class, thrown -> {
                    assertThat(thrown.line()).isEqualTo(2);
                    assertThat(thrown.column()).isEqualTo(12);
                })
                .hasMessage("kernel 'k', line 2, column 12, '" + declaration + "': expected " + message);
    }

    private static Stream<Arguments> wrongDeclarations() {
        return Stream.of(
                Arguments.of(
                        "override m: u32;\noverride n: vec2<u32>;",
                        2,
                        10,
                        "expected bool, i32, u32, f32 or f16 for the constant 'n', got vec2<u32>"),
                Arguments.of(
                        "override n;",
                        1,
                        10,
                        "expected a type for the constant 'n', got none; write 'override n: u32' or another type"),
                Arguments.of(
                        "override n: u32;",
                        1,
                        10,
                        "expected a value for the constant 'n' of type u32, which has no default, got none; call withConstant"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongDeclarations")
    void compile_wrongDeclaration_isRefused(String declarations, int line, int column, String message) {
        KernelSource source = KernelSource.of("k", declarations + "\n" + OUT + MAIN + "{ _ = n; }");
        assertThatThrownBy(() -> kernels(arena).compile(source))
                .isInstanceOf(KernelSourceException.class)
                .hasMessage("kernel 'k', line " + line + ", column " + column + ", '"
                        + declarations.lines().skip(line - 1).findFirst().orElseThrow() + "': " + message);
    }

    @Test
    void compile_valueOfAnExpressionWithoutAType_isRefused() {
        KernelSource source = KernelSource.of("k", "override n = 4u * 2;\n" + OUT + MAIN + "{ _ = n; }");
        assertThat(kernels(arena).compile(source)).isNotNull();
        assertThatThrownBy(() -> kernels(arena).compile(source.withConstant("n", 6)))
                .isInstanceOf(KernelSourceException.class)
                .hasMessage("kernel 'k', line 1, column 10, 'override n = 4u * 2;': expected a type for the constant"
                        + " 'n', got none; write 'override n: u32' or another type");
    }

    @Test
    void compile_constantThatIsNotDeclared_isRefused() {
        KernelSource source = KernelSource.of("k", "override b = 1; override a = 2; const c = 3;\n" + MAIN + "{}");
        assertThatThrownBy(() -> kernels(arena).compile(source.withConstant("c", 1)))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "kernel 'k': expected a constant that its source declares with override, one of [a, b], got 'c'");
    }

    private static float run(KernelSource source) {
        Kernels kernels = kernels(arena);
        float[] result = new float[1];
        kernels.recorder()
                .dispatch(kernels.compile(source), Bindings.of(kernels.window(A)), Workgroups.of(1))
                .build()
                .run(Batch.builder().floats(A, DType.F32, result).build());
        return result[0];
    }
}
