package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.CommandLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

    private static final List<String> PROVIDERS = List.of("providers", "--json");
    private static final String CPU = "io.devicearena.cpu.CpuDeviceArenaProvider";

    @TempDir
    Path folder;

    /** Also plans a file whose shapes the ONNX Runtime infers, which loads a native library of its own. */
    @ParameterizedTest(name = "denied {0}")
    @ValueSource(booleans = {false, true})
    void classPathFindsTheCpu(boolean denied) throws IOException, InterruptedException {
        Path model = folder.resolve("layer.onnx");
        try (InputStream source = Objects.requireNonNull(PathsTest.class.getResourceAsStream("layer.onnx"))) {
            Files.copy(source, model);
        }
        List<String> program = CommandLines.javaOn(
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), List.of());
        program.addAll(CommandLines.of(List.of(PROVIDERS, List.of("plan", model.toString(), "--dim", "batch=2"))));
        ChildProcess.Result result = run(denied, program);
        assertThat(result.err()).isEqualTo("exit code 0\n".repeat(2));
        assertThat(result.out()).contains(CPU, "input           layer, 7 values");
    }

    @ParameterizedTest(name = "denied {0}")
    @ValueSource(booleans = {false, true})
    void modulePathFindsTheCpu(boolean denied) throws IOException, InterruptedException {
        List<String> program = new ArrayList<>(List.of(
                "--module-path",
                ChildProcess.runtimePath(),
                "--module",
                "io.devicearena.cli/io.devicearena.cli.ArenaCli"));
        program.addAll(PROVIDERS);
        ChildProcess.Result result = run(denied, program);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains(CPU);
    }

    private ChildProcess.Result run(boolean denied, List<String> program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (denied) {
            assumeTrue(Runtime.version().feature() >= DENYING_JDK, "needs a JDK that can deny");
            command.addAll(List.of("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=deny"));
        }
        command.addAll(program);
        return ChildProcess.java(folder, command);
    }
}
