package io.devicearena.wgpu.internal.wgsl;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.internal.wgsl.WgslLayout.Extent;
import io.devicearena.wgpu.kernel.KernelSource;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes and alignments. Source: WGSL, section 14.4.1, table "Alignment and size for host-shareable types". */
class WgslLayoutTest {
    private static final String DECLARATIONS = """
            const N = 4; const M: u32 = N * 2 + (1 << 3); override W: u32 = 3; override V: u32;
            alias F = f32; alias Row = array<F, N>; alias Itself = Other; alias Other = Itself;
            struct Scalars { a: f32, b: u32, c: i32 }
            struct Padded { a: vec2<u32>, b: u32, }
            struct Mixed { a: u32, b: vec3<f32>, c: f32, d: vec2h, e: mat3x3<f32> }
            struct Nested { a: u32, b: Mixed, c: array<Padded, 3> }
            struct Attributes { @size(16) a: u32, @align(32) b: f32, @size(N * 4) @align(8) c: f32 }
            struct Runtime { count: u32, values: array<vec4<f32>> }
            struct Counted { n: atomic<u32>, values: array<atomic<i32>> }
            struct Loop { a: Loop }
            struct Unknown { a: f32, b: sampler }
            """;

    private static WgslModule module(String source) {
        return WgslModule.of(KernelSource.of("test", source));
    }

    private static Optional<Extent> of(String type) {
        WgslModule module = module(DECLARATIONS + "alias T = " + type + ";");
        return new WgslLayout(module, new ConstantEvaluator(module, Map.of("V", 5.0)))
                .of(module.alias("T").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f32|4|4",
                "i32|4|4",
                "u32|4|4",
                "f16|2|2",
                "bool|4|4",
                "atomic<u32>|4|4",
                "vec2<f32>|8|8",
                "vec3<f32>|12|16",
                "vec4<f32>|16|16",
                "vec3u|12|16",
                "vec3<f16>|6|8",
                "vec4h|8|8",
                "vec2i|8|8",
                "vec2<F>|8|8",
                "mat2x2<f32>|16|8",
                "mat2x3<f32>|32|16",
                "mat3x2f|24|8",
                "mat4x4<f32>|64|16",
                "mat4x3<f16>|32|8",
                "mat3x4h|24|8",
                "array<f32, 3>|12|4",
                "array<vec3<f32>, 3>|48|16",
                "array<f32>|4|4",
                "array<vec3<f32>>|16|16",
                "array<array<f32, 2>, N>|32|4",
                "array<u32, M>|64|4",
                "array<u32, W>|12|4",
                "array<u32, V + 1>|24|4",
                "array<u32, (0x10u >> 2) - 1 % 2>|12|4",
                "array<u32, u32(N) / 3>|4|4",
                "Row|16|4",
                "Scalars|12|4",
                "Padded|16|8",
                "Mixed|96|16",
                "Nested|160|16",
                "Attributes|64|32",
                "Runtime|32|16",
                "Counted|8|4",
                "array<Nested, 2>|320|16"
            })
    void of_knownType_hasSizeAndAlignment(String type, long size, long align) {
        assertThat(of(type)).contains(new Extent(size, align));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Loop",
                "Itself",
                "Unknown",
                "sampler",
                "vec5<f32>",
                "texture_2d<f32>",
                "array<f32, 0>",
                "array<f32, X>",
                "array<f32, -1>",
                "array<f32, N / 0>",
                "array<f32, (N > 2)>",
                "array<f32, 1.5>",
                "ptr<storage, f32>",
                "array",
                "",
                "f32 f32",
                "array<array<array<u32, 4294967295>, 4294967295>, 4294967295>"
            })
    void of_typeThatIsNotUnderstood_hasNone(String type) {
        assertThat(of(type)).isEmpty();
    }

    @Test
    void of_deepType_ends() {
        String structs = IntStream.range(1, 50)
                .mapToObj(i -> "struct S" + i + " { a: S" + (i - 1) + ", b: S" + (i - 1) + " }")
                .collect(Collectors.joining("", "struct S0 { a: f32, b: f32 }", ""));
        WgslModule module = module(structs + "alias T = S20; alias U = S49; alias V = " + "array<".repeat(10_000)
                + "f32" + ">".repeat(10_000) + ";");
        WgslLayout layout = new WgslLayout(module, new ConstantEvaluator(module, Map.of()));
        assertThat(layout.of(module.alias("T").orElseThrow())).contains(new Extent(8L << 20, 4));
        assertThat(layout.of(module.alias("U").orElseThrow())).contains(new Extent(8L << 49, 4));
        assertThat(layout.of(module.alias("V").orElseThrow())).isEmpty();
    }
}
