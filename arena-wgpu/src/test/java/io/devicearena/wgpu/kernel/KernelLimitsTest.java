package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DeviceArena;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.wgpu.testing.KernelArenas;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A kernel that needs more than the device has is refused by name, before anything runs. */
class KernelLimitsTest {
    private DeviceArena arena;
    private KernelFacts facts;

    @BeforeEach
    void open() {
        arena = KernelArenas.open();
        facts = kernels(arena).facts();
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private Kernel compile(String wgsl) {
        return kernels(arena).compile(KernelSource.of("k", wgsl));
    }

    private void assertRefused(String wgsl, int line, int column, String message) {
        assertThatThrownBy(() -> compile(wgsl))
                .isExactlyInstanceOf(KernelSourceException.class)
                .hasMessage("kernel 'k', line " + line + ", column " + column + ", '"
                        + wgsl.lines().skip(line - 1).findFirst().orElseThrow() + "': " + message);
    }

    private static String memory(String length) {
        return "override n = 4; var<workgroup> a: array<vec3<f32>, " + length + ">;\n"
                + "var<workgroup> b: array<u32, 3>;\n@compute @workgroup_size(1) fn main() { a[0].x = 1.0; b[0] = 1u; }\n";
    }

    @Test
    void compile_tooMuchWorkgroupMemory_isRefused() {
        int most = facts.maxWorkgroupMemoryBytes();
        int fits = (most - 16) / 16;
        compile(memory(fits + "u"));
        assertRefused(
                memory(fits + 1 + "u"),
                1,
                32,
                "expected at most " + most + " bytes of var<workgroup> (maxWorkgroupMemoryBytes), got "
                        + (16 * (fits + 1) + 16) + " bytes, " + 16 * (fits + 1) + " of them in 'a'; use smaller tiles");
        assertThatThrownBy(() ->
                        kernels(arena).compile(KernelSource.of("k", memory("n")).withConstant("n", most)))
                .hasMessageContaining(" bytes of var<workgroup> (maxWorkgroupMemoryBytes), got ");
        assertThat(compile(memory("n"))).isNotNull();
    }

    @Test
    void compile_memoryOfAnotherEntryPoint_doesNotCount() {
        String wgsl = """
                var<workgroup> large: array<f32, 100000000>;
                fn f() { large[0] = 1.0; }
                @compute @workgroup_size(1) fn main() {}
                @compute @workgroup_size(1) fn other() { f(); }
                """;
        kernels(arena).compile(KernelSource.of("k", wgsl).withEntryPoint("main"));
        assertThatThrownBy(
                        () -> kernels(arena).compile(KernelSource.of("k", wgsl).withEntryPoint("other")))
                .hasMessageEndingWith("got 400000000 bytes, 400000000 of them in 'large'; use smaller tiles");
    }

    @Test
    void compile_tooLargeWorkgroup_isRefusedByTheCompiler() {
        int most = facts.maxWorkgroupSizeX();
        compile("@compute @workgroup_size(" + most + ") fn main() {}");
        assertThatThrownBy(() -> compile("@compute @workgroup_size(" + (most + 1) + ") fn main() {}"))
                .isExactlyInstanceOf(KernelSourceException.class)
                .hasMessageStartingWith("kernel 'k', line 1, column 35, '@compute @workgroup_size(" + (most + 1)
                        + ") fn main() {}': expected a source that compiles, got this report of the compiler:\n")
                .hasMessageContaining("workgroup size [" + (most + 1) + ", 1, 1] (" + (most + 1)
                        + " total invocations) must be less or equal to the per-dimension limit");
    }

    private static String bindings(String space, int count) {
        StringBuilder wgsl = new StringBuilder();
        StringBuilder uses = new StringBuilder();
        for (int i = 0; i < count; i++) {
            uses.append("_ = b").append(i).append(";");
            wgsl.append("@group(0) @binding(")
                    .append(i)
                    .append(") var<")
                    .append(space)
                    .append("> b")
                    .append(i)
                    .append(": vec4<f32>;\n");
        }
        return wgsl + "@compute @workgroup_size(1) fn main() { " + uses + " }";
    }

    @Test
    void compile_tooManyBindings_isRefused() {
        int uniforms = facts.maxUniformBindings();
        if (uniforms < 60) {
            assertRefused(
                    bindings("uniform", uniforms + 1),
                    uniforms + 1,
                    uniforms < 10 ? 36 : 37,
                    "expected at most " + uniforms
                            + " uniform bindings (maxUniformBindings), got " + (uniforms + 1)
                            + "; bind several values as one window");
        }
        assertThatThrownBy(() -> compile(bindings("storage", 70)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(".*expected at most \\d+ (storage )?bindings.*");
        assertRefused(
                "@group(100) @binding(0) var<uniform> b: vec4<f32>;\n@compute @workgroup_size(1) fn main() { _ = b; }",
                1,
                38,
                "'b': expected a group from 0 to " + (facts.maxBindGroups() - 1)
                        + " (maxBindGroups), got 100; use a smaller number");
        assertRefused(
                "@group(0) @binding(100000) var<uniform> b: vec4<f32>;\n@compute @workgroup_size(1) fn main() { _ = b; }",
                1,
                41,
                "'b': expected a binding from 0 to " + (facts.maxBindingsPerGroup() - 1)
                        + " (maxBindingsPerGroup), got 100000; use a smaller number");
    }
}
