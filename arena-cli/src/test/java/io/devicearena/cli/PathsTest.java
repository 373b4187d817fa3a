package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program on the class path and on the module path: it finds the providers, without any warning. */
class PathsTest {
    @TempDir
    Path folder;

    @Test
    void classPathFindsTheCpu() throws IOException, InterruptedException {
        ChildProcess.Result result = ChildProcess.java(
                folder,
                List.of("-cp", ChildProcess.runtimePath(), "io.devicearena.cli.ArenaCli", "providers", "--json"));
        assertCpuIsListed(result);
    }

    @Test
    void modulePathFindsTheCpu() throws IOException, InterruptedException {
        ChildProcess.Result result = ChildProcess.java(
                folder,
                List.of(
                        "--module-path",
                        ChildProcess.runtimePath(),
                        "--module",
                        "io.devicearena.cli/io.devicearena.cli.ArenaCli",
                        "providers",
                        "--json"));
        assertCpuIsListed(result);
    }

    private static void assertCpuIsListed(ChildProcess.Result result) {
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("io.devicearena.cpu.CpuDeviceArenaProvider");
    }
}
