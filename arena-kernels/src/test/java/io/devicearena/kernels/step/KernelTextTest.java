package io.devicearena.kernels.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DeviceArena;
import io.devicearena.kernels.step.KernelText.Assembled;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KernelTextTest {
    private static final Path FILES = Path.of("src/main/resources/io/devicearena/kernels");

    private KernelText text = KernelText.of("sample/sums");

    @SuppressWarnings("NullAway.Init") // set before all tests
    private DeviceArena arena;

    @BeforeAll
    void open() {
        arena = StepTrial.openForKernels();
    }

    @BeforeEach
    void begin() {
        text = KernelText.of("sample/sums");
    }

    @AfterAll
    void close() {
        arena.close();
    }

    private static String without(String wgsl, String file) {
        return wgsl.substring(wgsl.indexOf("// " + file)).lines().skip(1).reduce("", (a, b) -> a + b + "\n");
    }

    @Test
    void use_aFileForTwoMatrices_isIncludedForEach() {
        Assembled kernel = text.assemble(false);
        assertThat(kernel.wgsl())
                .contains("// sample/term.wgsl, _M is _0")
                .contains("fn term_0(i: u32) -> f32 { return in_0[first_in_0 + i]; }")
                .contains("fn term_1(i: u32) -> f32 { return in_1[first_in_1 + i]; }");
        assertThat(kernel.variables()).containsExactly("in_0", "in_1", "out");
        assertThat(kernel.job()).containsExactly("first_in_0", "first_in_1");
    }

    @Test
    void use_anotherFileForASlot_replacesTheDefault() {
        text.use("TERM", "sample/square");
        assertThat(text.assemble(false).wgsl())
                .startsWith("enable subgroups;\n")
                .contains("fn term_1(i: u32) -> f32 { return f32(i * i); }")
                .doesNotContain("in_0");
    }

    @Test
    void repeat_linesWithTheMark_areRepeatedOneByOne() {
        assertThat(without(text.assemble(false).wgsl(), "sample/sums.wgsl")).isEqualTo("""
                        const TERMS: u32 = 2u;
                        override SCALE: f32 = 0.5f;

                        @group(0) @binding(2) var<storage, read_write> out: array<f32>;

                        @compute @workgroup_size(1)
                        fn main() {
                            let x_0 = term_0(0u);
                            let x_1 = term_1(1u);
                            out[0u] = SCALE * x_0;
                            out[1u] = SCALE * x_1;
                        }
                        """);
    }

    @Test
    void set_numbersAndRepeats_haveTheValue() {
        text.set("TERMS", 1);
        text.set("SCALE", 0.1f);
        assertThat(text.assemble(false).wgsl())
                .contains("const TERMS: u32 = 1u;", "override SCALE: f32 = 0.1f;")
                .doesNotContain("x_1");
    }

    @Test
    void alias_aVariable_hasTheNameOfTheOther() {
        text.alias("in_1", "out");
        Assembled kernel = text.assemble(false);
        assertThat(kernel.variables()).containsExactly("in_0", "out");
        assertThat(kernel.wgsl()).contains("fn term_1(i: u32) -> f32 { return out[first_in_1 + i]; }");
    }

    @Test
    void job_inAUniform_isAStruct() {
        Assembled kernel = text.assemble(true);
        assertThat(kernel.wgsl())
                .startsWith("""
                        struct Job { first_in_0: u32, first_in_1: u32 }
                        @group(0) @binding(3) var<uniform> job: Job;
                        """)
                .contains("fn term_0(i: u32) -> f32 { return in_0[job.first_in_0 + i]; }")
                .doesNotContain("const first_in_0");
        assertThat(kernel.variables()).containsExactly("in_0", "in_1", "out", "job");
    }

    @Test
    void part_forASlot_isTheTextOfTheStep() {
        text.part(
                "TERM",
                "const first_y: u32 = 0u; //! job\n@group(0) @binding(0) var<storage, read> y: array<f32>;\n"
                        + "fn term_M(i: u32) -> f32 { return y[first_y + i]; }");
        Assembled kernel = text.assemble(false);
        assertThat(kernel.wgsl())
                .contains("// TERM, made by the step, _M is _0\n")
                .contains("fn term_1(i: u32) -> f32 { return y[first_y + i]; }");
        assertThat(kernel.job()).contains("first_y");
    }

    @Test
    void names_thatNoFileHas_areRefused() {
        text.set("SCALES", 1);
        text.use("TERMINAL", "sample/square");
        text.alias("in_2", "out");
        assertThatThrownBy(() -> text.assemble(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("kernel sample/sums: expected names that its files have, got [SCALES, TERMINAL, in_2]");
    }

    @Test
    void file_thatIsNotThere_isRefused() {
        text.use("TERM", "sample/cube");
        assertThatThrownBy(() -> text.assemble(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("kernel file sample/cube: expected it in the module, got none");
    }

    static List<String> files() {
        try (Stream<Path> all = Files.walk(FILES)) {
            return all.map(path -> FILES.relativize(path).toString().replace('\\', '/'))
                    .filter(name -> name.endsWith(".wgsl"))
                    .map(name -> name.substring(0, name.length() - ".wgsl".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file without an entry point gets one, so that the compiler reads all of it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void everyFile_byItselfWithItsDefaults_compiles(String file) {
        Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
        for (boolean isUniform : new boolean[] {false, true}) {
            String wgsl = KernelText.of(file).assemble(isUniform).wgsl();
            KernelSource source = KernelSource.of(file, wgsl + "\n@compute @workgroup_size(1) fn by_itself() {}\n");
            kernels.compile(source.withEntryPoint("by_itself")).close();
        }
    }
}
