package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.devicearena.DeviceArena;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.wgpu.testing.KernelArenas;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A source that does not compile has the first position of the compiler's report, within the source: a character §
 * marks it, and is not part of the source.
 */
class RefusedSourcesTest {
    private static final String HEAD = """
            @group(0) @binding(0) var<storage, read> x: array<f32>;
            @group(0) @binding(1) var<storage, read_write> y: array<f32>;
            """;

    private static DeviceArena arena;

    @BeforeAll
    static void open() {
        arena = KernelArenas.open();
    }

    @AfterAll
    static void close() {
        arena.close();
    }

    /** A declaration of {@code b}, which the entry point uses. */
    private static Arguments used(String name, String declaration, String message) {
        return Arguments.of(
                name, HEAD + declaration + "\n@compute @workgroup_size(1) fn main() { y[0] = b[0]; }\n", message);
    }

    /** A module-scope declaration beside an entry point that calls f. */
    private static Arguments module(String name, String declarations, String message) {
        return Arguments.of(name, HEAD + declarations + "\n@compute @workgroup_size(64) fn main() {}\n", message);
    }

    /** A declaration of which the compiler reports no position; the error has that of the entry point. */
    private static Arguments unplaced(String name, String declarations, String message) {
        return Arguments.of(name, HEAD + declarations + "\n@compute @workgroup_size(64) fn §main() {}\n", message);
    }

    /** Statements of the entry point. */
    private static Arguments body(String name, String statements, String message) {
        return Arguments.of(name, HEAD + "@compute @workgroup_size(64)\nfn main() {\n" + statements + "\n}\n", message);
    }

    private static Stream<Arguments> syntax() {
        return Stream.of(
                body("missing semicolon", "    let a = 1.0\n    §let b = 2.0;", "expected `;`, found \"let\""),
                body("unknown character", "    let a = 1 §# 2;", "expected `;`, found \"#\""),
                body("statement without effect", "    x[0]§;", "expected assignment"),
                body("reserved word", "    let §class = 1;", "name `class` is a reserved keyword"),
                body("huge literal", "    let a = §99999999999999999u;", "not representable"),
                module("let at module scope", "§let a = 1.0;", "expected global item"),
                module("const without value", "const a: f32§;", "expected operation (`=`), found \";\""),
                module("unclosed body", "fn f() {\n    let a = 1;\n\n", ""),
                module("four workgroup sizes", "@compute @workgroup_size(1, 1, 1, §1) fn g() {}", "found \"1\""),
                module("failed const_assert", "const_assert §1 == 2;", "`const_assert` failure"));
    }

    private static Stream<Arguments> names() {
        return Stream.of(
                body(
                        "unknown function",
                        "    y[0] =\n        §foo(1);",
                        "no definition in scope for identifier: `foo`"),
                body("behind a tab and wide characters", "\tlet a = 1; /* é漢😀 */\tlet b = §foo(1);", "`foo`"),
                module("unknown type", "fn f(a: §Foo) {}", "no definition in scope for identifier: `Foo`"),
                module(
                        "unknown member",
                        "struct S { a: f32 }\nfn f(s: S) -> f32 {\n    return s.§b;\n}",
                        "accessor `b`"),
                body("unknown component", "    y[0] = vec2<f32>(1.0).§z;", "invalid field accessor `z`"),
                module("function twice", "fn §f() {}\nfn f() {}", "redefinition of `f`"),
                body("let twice", "    let §a = 1;\n    let a = 2;", "redefinition of `a`"),
                module(
                        "unknown builtin",
                        "@compute @workgroup_size(1)\nfn g(@builtin(§foo) id: vec3<u32>) {}",
                        "`foo`"),
                module("recursion", "fn §f() {\n    f();\n}", "recursive"),
                module("mutual recursion", "fn §f() {\n    g();\n}\nfn g() {\n    f();\n}", "cyclic"));
    }

    private static Stream<Arguments> types() {
        return Stream.of(
                module(
                        "u32 times f32",
                        "§fn f() -> f32 {\n    return 2u * x[0];\n}",
                        "Operation Multiply can't work with"),
                module("over two lines", "§fn f() -> f32 {\n    return 2u *\n        x[0];\n}", "Operation Multiply"),
                body("other type assigned", "    §y[0] = 1u;", "cannot convert elements of `u32` to `f32`"),
                body("other type added", "    §y[0] += 1u;", "cannot convert elements of `u32` to `f32`"),
                body("other types of arguments", "    y[0] = §max(x[0], 1i);", "inconsistent type"),
                body(
                        "condition is a number",
                        "    if (§u32(x[0])) {\n        y[0] = 1.0;\n    }",
                        "not a boolean scalar"),
                body(
                        "condition in a loop",
                        "    for (var i = 0u; i < 3u; i++) {\n        while (§x[0]) {}\n    }",
                        "boolean"),
                body("index is a float", "    y[0] = §x[x[1]];", "Accessing with index"),
                body(
                        "matrix times vector",
                        "    let m = §mat2x2<f32>(1, 1, 1, 1) * vec3<f32>(1);",
                        "Operation Multiply"),
                module(
                        "wrong argument",
                        "fn f(a: f32) -> f32 {\n    return a;\n}\n§fn g() -> f32 {\n    return f(2u);\n}",
                        "invalid function call"),
                module(
                        "too few arguments",
                        "fn f(a: f32) -> f32 {\n    return a;\n}\n§fn g() -> f32 {\n    return f();\n}",
                        "Requires 1 arguments"),
                module("other result", "§fn f() -> u32 {\n    return x[0];\n}", "`return` expression"),
                module("empty return", "§fn f() -> f32 {\n    return;\n}", "`return` expression"),
                module(
                        "missing return",
                        "§fn f() -> f32 {\n    if (x[0] > 1.0) {\n        return 1.0;\n    }\n}",
                        "`return`"),
                module("negated u32", "§fn f() -> u32 {\n    return -u32(x[0]);\n}", "Operation Negate"),
                body("division by zero", "    let a = §1 / 0;", "Division by zero"),
                body("too few components", "    let v = §vec3<f32>(1.0, 2.0);", "expects 3 components, found 2"),
                unplaced(
                        "component out of bounds",
                        "fn f() -> f32 { let v = vec2<f32>(x[0]); return v[3]; }",
                        "Index 3 is out of bounds"),
                module(
                        "element out of bounds",
                        "var<private> q: array<f32, 4>;\n§fn f() {\n    q[7] = 1.0;\n}",
                        "bounds"),
                body("f16 without enable", "    let h = §f16(x[0]);", "the `f16` enable extension is not enabled"));
    }

    private static Stream<Arguments> rules() {
        return Stream.of(
                body("write to a read binding", "    §x[0] = 1.0;", "writing to this location is not permitted"),
                module("write in a function", "§fn f() {\n    let i = 1;\n    x[i] = 1.0;\n}", "not permitted"),
                body("assignment to let", "    let §v = x[0];\n\n    v = 1.0;", "consider declaring `v` with `var`"),
                module("break outside a loop", "§fn f() {\n    break;\n}", "`break` is used outside"),
                module("continue outside a loop", "§fn f() {\n    continue;\n}", "`continue` is used outside"),
                module(
                        "switch without default",
                        "§fn f() {\n    switch (u32(x[0])) {\n        case 1u: {}\n    }\n}",
                        "default"),
                module(
                        "case twice",
                        "§fn f() {\n    switch (u32(x[0])) {\n        case 1u: {}\n        case 1u: {}\n        default: {}\n    }\n}",
                        "Multiple `switch` cases"),
                module(
                        "pointer to a binding as parameter",
                        "§fn f(a: f32,\n    p: ptr<storage, array<f32>, read>) -> f32 {\n    return (*p)[0];\n}",
                        "can't be passed into functions"),
                module(
                        "array without a length in a workgroup",
                        "§var<workgroup> a: array<f32>;",
                        "Global variable [2] 'a'"),
                module("array of length zero", "var<workgroup> a: array<f32, §0>;", "must be positive"),
                module("array of negative length", "var<workgroup> a: array<f32, §-1>;", "must be positive"),
                module(
                        "bool in a buffer",
                        "@group(0) @binding(2)\n§var<storage> b: array<bool>;",
                        "Global variable [2] 'b'"),
                module(
                        "short elements in a uniform",
                        "@group(0) @binding(2)\n§var<uniform> b: array<f32, 4>;",
                        "stride 4"),
                module(
                        "array without a length first",
                        "§struct S { a: array<f32>, b: f32 }\n@group(0) @binding(2) var<storage> b: S;",
                        "dynamically-sized"),
                unplaced("atomic of f32", "var<workgroup> a: atomic<f32>;", "ATOMIC"),
                body("atomic on a number", "    var w = 1u;\n    atomicAdd(§&w, 1u);", "pointer to a non-atomic"),
                module("member size too small", "struct S {\n    @size(§2) a: f32\n}", "must be at least 4"),
                module("odd alignment", "struct S {\n    @align(§3) a: f32\n}", "must be a power of 2"));
    }

    private static Stream<Arguments> interfaces() {
        return Stream.of(
                Arguments.of("no function", "const a = 1;\n", "expected a @compute function in the source, got none"),
                Arguments.of("no entry point", "const a = 1;\nfn §main() {}\n", "expected a @compute function"),
                Arguments.of("empty", "", "expected a @compute function"),
                module("no workgroup size", "@§compute\nfn g() {}", "workgroup size is missing"),
                Arguments.of(
                        "workgroup size 0",
                        "@compute\n@workgroup_size(0)\nfn §g() {}",
                        "Workgroup size is out of range"),
                unplaced(
                        "workgroup size 0 of another entry point",
                        "@compute\n@workgroup_size(0)\nfn g() {}",
                        "out of range"),
                unplaced(
                        "wrong type of a builtin",
                        "@compute @workgroup_size(1)\nfn g(\n    @builtin(global_invocation_id) id: vec2<u32>) {}",
                        "Built-in type for GlobalInvocationId"),
                unplaced(
                        "parameter without builtin",
                        "@compute @workgroup_size(1)\nfn g(\n    id: vec3<u32>) {}",
                        "must all have bindings"),
                unplaced(
                        "entry point with a result",
                        "@compute @workgroup_size(1)\nfn g() -> f32 {\n    return 1.0;\n}",
                        "must all have bindings"),
                module(
                        "no group",
                        "@binding(2)\nvar<storage> §b: array<f32>;",
                        "expected a number for @group, got nothing"),
                module(
                        "unknown number",
                        "@group(0) @binding(§N)\nvar<storage> b: array<f32>;",
                        "expected a number for @binding, got N"),
                module("texture", "@group(0) @binding(2)\nvar §b: texture_2d<f32>;", "expected a buffer"),
                used("binding 50000", "@group(0) @binding(50000)\nvar<storage> §b: array<f32>;", "50000"),
                used(
                        "group 100",
                        "@group(100) @binding(0)\nvar<storage> §b: array<f32>;",
                        "expected a group from 0 to "),
                Arguments.of(
                        "binding twice",
                        HEAD
                                + "@group(0) @binding(1)\nvar<storage> §z: array<f32>;\n@compute @workgroup_size(1) fn main() { y[0] = z[0]; }\n",
                        "expected a binding of its own, got @group(0) @binding(1), which 'y' has"),
                Arguments.of(
                        "unknown enable extension",
                        "enable §wrong;\n@compute @workgroup_size(1) fn main() {}\n",
                        "wrong"),
                Arguments.of(
                        "unsupported language extension",
                        "requires readonly_and_readwrite_storage_textures,\n    §unrestricted_pointer_parameters;\n@compute @workgroup_size(1) fn main() {}\n",
                        "`unrestricted_pointer_parameters`"),
                Arguments.of(
                        "missing constant",
                        "override a = 1;\noverride §n: u32;\n@compute @workgroup_size(n) fn main() {}\n",
                        "expected a value for the constant 'n' of type u32, which has no default, got none; call withConstant"));
    }

    private static Stream<Arguments> endsOfLines() {
        return Stream.of(
                Arguments.of(
                        "CRLF",
                        "§fn f() -> f32 {\r\n  var q = 1.0;\r\n  q = 2u * q;\r\n  return q;\r\n}\r\n@compute @workgroup_size(1) fn main() {}\r\n",
                        "Operation Multiply"),
                Arguments.of(
                        "byte order mark", "\uFEFF@compute @workgroup_size(1) fn main() {\n  §foo();\n}\n", "`foo`"),
                Arguments.of(
                        "behind a default",
                        "override n = 4; override §m: u32; @compute @workgroup_size(n) fn main() { let a = m; }",
                        "'m'"),
                Arguments.of(
                        "behind replaced constants",
                        "override n = 4; @id(12) override f = 0.5; @compute @workgroup_size(n) fn main() { let a = f + §foo(); }",
                        "`foo`"),
                Arguments.of(
                        "in a replaced constant",
                        "override n: u32 = §foo;\n@compute @workgroup_size(n) fn main() {}",
                        "`foo`"),
                Arguments.of(
                        "nested comments",
                        "/* a /* b\n */ c\n */ @compute @workgroup_size(1) fn main() { §foo(); }",
                        "`foo`"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"syntax", "names", "types", "rules", "interfaces", "endsOfLines"})
    void compile_refusedSource_hasItsPosition(String name, String marked, String message) {
        int mark = marked.indexOf('§');
        String wgsl = marked.replace("§", "");
        KernelSource source = KernelSource.of("a:1:2 b", wgsl);
        KernelSource chosen =
                wgsl.contains("@compute @workgroup_size(64) fn main()") ? source.withEntryPoint("main") : source;
        KernelSourceException thrown = catchThrowableOfType(
                KernelSourceException.class, () -> kernels(arena).compile(chosen));
        assertThat(thrown).as(name).isNotNull();
        assertThat(thrown).hasMessageContaining(message);
        if (mark >= 0) {
            String before = marked.substring(0, mark);
            int begin = before.lastIndexOf('\n') + 1;
            int line = (int) before.chars().filter(each -> each == '\n').count() + 1;
            int column = before.codePointCount(begin, mark) + 1;
            assertThat(thrown.line() + ":" + thrown.column())
                    .as(thrown.getMessage())
                    .isEqualTo(line + ":" + column);
        }
        assertThat(thrown.line()).isPositive();
        assertThat(thrown.column()).isPositive();
        assertThat(thrown)
                .hasMessageStartingWith(
                        "kernel 'a:1:2 b', line " + thrown.line() + ", column " + thrown.column() + ", '"
                                + wgsl.lines()
                                        .skip(thrown.line() - 1L)
                                        .findFirst()
                                        .orElse("")
                                        .strip() + "': ");
    }

    @Test
    void compile_refusedSourceOfOddLabel_hasItsLine() {
        String wgsl = HEAD + "@compute @workgroup_size(1) fn main() {\n    x[0] = 1.0;\n}";
        for (String label : List.of("", "a\nb", "; Validation Error", "a: parsing error: b", "│ ┌─ c:7:8", "\0")) {
            KernelSourceException thrown = catchThrowableOfType(
                    KernelSourceException.class, () -> kernels(arena).compile(KernelSource.of(label, wgsl)));
            assertThat(thrown).hasMessageStartingWith("kernel '" + label + "', line 4, column ");
        }
    }
}
