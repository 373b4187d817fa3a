package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever keeps the provider wgpu from working, the main job runs on the cpu, and the list of providers says why. */
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

    /** What to set, with TEXT for the name of a text file, and what the reason has in it. */
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
    void theCpuIsUsedAndTheReasonIsTold(String name, Map<String, String> variables, List<String> flags, String reason)
            throws IOException, InterruptedException {
        List<String> named = flags.stream()
                .map(flag -> flag.replace("TEXT", text.toString()))
                .toList();
        ChildProcess.Result run = arena(variables, named, "run", graph.toString(), "--json");
        assertThat(run.err()).as(name).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("\"provider\" : \"cpu\"").contains("\"ok\" : true");

        ChildProcess.Result providers = arena(variables, named, "providers");
        assertThat(providers.err()).isEmpty();
        assertThat(providers.exitCode()).isZero();
        assertThat(providers.out()).contains(reason.replace("TEXT", text.toString()));

        ChildProcess.Result asked = arena(variables, named, "run", graph.toString(), "--provider", "wgpu");
        assertThat(asked.exitCode()).isEqualTo(2); // as for any choice that cannot be met
        assertThat(asked.err())
                .contains("provider 'wgpu' is not available. Providers found:")
                .contains(reason.replace("TEXT", text.toString()));
    }
}
