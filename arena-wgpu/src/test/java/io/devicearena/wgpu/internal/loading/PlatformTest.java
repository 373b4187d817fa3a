package io.devicearena.wgpu.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    @ParameterizedTest(name = "{0} on {1} is {2}")
    @CsvSource({
        "Linux, amd64, linux-x86_64",
        "Linux, aarch64, linux-aarch64",
        "Mac OS X, x86_64, macos-x86_64",
        "Mac OS X, aarch64, macos-aarch64",
        "Windows 11, amd64, windows-x86_64",
        "Windows Server 2022, arm64, windows-aarch64",
        "FreeBSD, amd64, freebsd-x86_64",
        "Linux, riscv64, linux-riscv64",
    })
    void of_jvmNames_becomeNamesOfJars(String osName, String osArch, String expected) {
        assertThat(Platform.of(osName, osArch)).hasToString(expected);
    }
}
