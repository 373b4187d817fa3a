package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.cli.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The program on the class path and on the module path: it finds the providers, without any warning, also where the JDK
 * denies what it warns of today.
 */
class PathsTest {
    /** The first JDK that knows both flags. */
    private static final int DENYING_JDK = 24;

    @TempDir
    Path folder;

    @ParameterizedTest(name = "denied {0}")
    @ValueSource(booleans = {false, true})
    void classPathFindsTheCpu(boolean denied) throws IOException, InterruptedException {
        assertCpuIsListed(denied, "-cp", ChildProcess.runtimePath(), "io.devicearena.cli.ArenaCli");
    }

    @ParameterizedTest(name = "denied {0}")
    @ValueSource(booleans = {false, true})
    void modulePathFindsTheCpu(boolean denied) throws IOException, InterruptedException {
        assertCpuIsListed(
                denied,
                "--module-path",
                ChildProcess.runtimePath(),
                "--module",
                "io.devicearena.cli/io.devicearena.cli.ArenaCli");
    }

    private void assertCpuIsListed(boolean denied, String... program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (denied) {
            assumeTrue(Runtime.version().feature() >= DENYING_JDK, "needs a JDK that can deny");
            command.addAll(List.of("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=deny"));
        }
        command.addAll(List.of(program));
        command.addAll(List.of("providers", "--json"));
        ChildProcess.Result result = ChildProcess.java(folder, command);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("io.devicearena.cpu.CpuDeviceArenaProvider");
    }
}
