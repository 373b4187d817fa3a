package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When the provider wgpu is not available, the run uses the cpu, and the list of providers has the reason. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "hides the drivers from the Vulkan loader of Linux")
class WithoutWgpuTest {
    @TempDir
    Path folder;

    private Path text;
    private Path graph;

    @BeforeEach
    void files() throws IOException {
        text = Files.writeString(folder.resolve("text.so"), "not a library\n");
        graph = Files.writeString(folder.resolve("two.csv"), "id,lower,upper,size\n1,0,2,64\n2,1,3,32\n");
    }

    private ChildProcess.Result arena(Map<String, String> variables, List<String> flags, String... command)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(flags);
        arguments.addAll(List.of("-cp", ChildProcess.runtimePath(), "io.devicearena.cli.ArenaCli"));
        arguments.addAll(List.of(command));
        return ChildProcess.java(folder, variables, arguments);
    }

    /** Variables and flags, with TEXT for the name of a text file, and a part of the reason. */
    private static Stream<Arguments> obstacles() {
        return Stream.of(
                Arguments.of(
                        "no driver",
                        Map.of("VK_DRIVER_FILES", "/nonexistent", "VK_ICD_FILENAMES", "/nonexistent"),
                        List.of("-Ddevicearena.wgpu.backend=vulkan"),
                        "wgpu-native finds no device (backends: vulkan)"),
                Arguments.of(
                        "no library",
                        Map.of("DEVICEARENA_WGPU_LIBRARY", "/nonexistent/wgpu.so"),
                        List.of(),
                        "variable DEVICEARENA_WGPU_LIBRARY: /nonexistent/wgpu.so: no such file"),
                Arguments.of(
                        "text for a library",
                        Map.of(),
                        List.of("-Ddevicearena.wgpu.library=TEXT"),
                        "property devicearena.wgpu.library: TEXT: "),
                Arguments.of(
                        "no cache folder", Map.of(), List.of("-Ddevicearena.wgpu.cache=TEXT/cache"), "natives jar: "),
                Arguments.of(
                        "unknown backend",
                        Map.of("DEVICEARENA_WGPU_BACKEND", "glide"),
                        List.of(),
                        "DEVICEARENA_WGPU_BACKEND: expected vulkan, metal, dx12, gl or primary, got 'glide'"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("obstacles")
    void theReasonIsReported(String name, Map<String, String> variables, List<String> flags, String reason)
            throws IOException, InterruptedException {
        List<String> named = flags.stream()
                .map(flag -> flag.replace("TEXT", text.toString()))
                .toList();
        ChildProcess.Result providers = arena(variables, named, "providers");
        assertThat(providers.err()).as(name).isEmpty();
        assertThat(providers.exitCode()).isZero();
        assertThat(providers.out()).contains(reason.replace("TEXT", text.toString()));
    }

    /** Behind the probe one obstacle is as good as another. */
    @Test
    void cpuIsUsed_andWgpuIsRefusedWithTheReason() throws IOException, InterruptedException {
        Map<String, String> variables = Map.of("DEVICEARENA_WGPU_LIBRARY", "/nonexistent/wgpu.so");
        ChildProcess.Result run = arena(variables, List.of(), "run", graph.toString(), "--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("\"provider\" : \"cpu\"").contains("\"ok\" : true");

        ChildProcess.Result asked = arena(variables, List.of(), "run", graph.toString(), "--provider", "wgpu");
        assertThat(asked.exitCode()).isEqualTo(2); // as for any provider that is not available
        assertThat(asked.err())
                .contains("provider 'wgpu' is not available. Providers found:")
                .contains("variable DEVICEARENA_WGPU_LIBRARY: /nonexistent/wgpu.so: no such file");
    }
}
