package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.Cli;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelsCommandTest {
    @Test
    void kernels_listsEachStepWithItsFormats() {
        Cli.Result result = Cli.run("kernels");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out().lines())
                .contains(
                        "clip                   elements limited to a range",
                        "rounded-product        rows of 8 bits times a matrix",
                        "                       Q8_0 Q4_0 Q5_0 Q4_K Q5_K");
        assertThat(Cli.run("kernels", "--json").out()).contains("\"name\" : \"clip\"");
    }

    @Test
    void print_aFormat_hasItsFile() {
        Cli.Result result = Cli.run("kernels", "print", "product", "--format", "q4_k");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .startsWith("// product\n")
                .contains("// matrix/format-q4_k.wgsl, _M is _0", "override COLUMNS: u32 = 1024u;");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kernels print product --format Q4_9 | --format: expected a type of tensors such as Q4_K, got 'Q4_9'",
                "kernels print clip --format F32 | print: clip: expected no format, got F32",
                "kernels write clip | kernels: expected nothing, 'print STEP' or 'check', got 'write clip'; see 'arena kernels --help'",
                "kernels check --provider cpu | check: device 'host memory': expected one with kernels in WGSL, got one of provider 'cpu'; choose provider wgpu",
            })
    void wrongWords_areRefused(String words, String problem) {
        Cli.Result result = Cli.run(words.split(" "));
        assertThat(result.err()).isEqualTo("arena: " + problem + System.lineSeparator());
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
