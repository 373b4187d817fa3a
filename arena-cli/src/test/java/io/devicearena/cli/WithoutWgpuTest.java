package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.CommandLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** When the provider wgpu is not available, the run uses the cpu, and the list of providers has the reason. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "hides the drivers from the Vulkan loader of Linux")
class WithoutWgpuTest {
    @TempDir
    Path folder;

    private ChildProcess.Result arena(Map<String, String> variables, List<String> flags, List<List<String>> commands)
            throws IOException, InterruptedException {
        List<String> arguments = CommandLines.java(flags.toArray(String[]::new));
        arguments.addAll(CommandLines.of(commands));
        return ChildProcess.java(folder, variables, arguments);
    }

    /** The tests of the provider have every obstacle; behind the probe one is as good as another. */
    @Test
    void driverThatIsMissing_isTheReason() throws IOException, InterruptedException {
        ChildProcess.Result providers = arena(
                Map.of("VK_DRIVER_FILES", "/nonexistent", "VK_ICD_FILENAMES", "/nonexistent"),
                List.of("-Ddevicearena.wgpu.backend=vulkan"),
                List.of(List.of("providers")));
        assertThat(providers.err()).isEqualTo("exit code 0\n");
        assertThat(providers.out()).contains("wgpu-native finds no device (backends: vulkan)");
    }

    @Test
    void libraryThatIsMissing_isTheReason_theCpuIsUsedAndWgpuIsRefused() throws IOException, InterruptedException {
        String buffers = Files.writeString(folder.resolve("two.csv"), "id,lower,upper,size\n1,0,2,64\n2,1,3,32\n")
                .toString();
        String reason = "variable DEVICEARENA_WGPU_LIBRARY: /nonexistent/wgpu.so: no such file";
        ChildProcess.Result result = arena(
                Map.of("DEVICEARENA_WGPU_LIBRARY", "/nonexistent/wgpu.so"),
                List.of(),
                List.of(
                        List.of("providers"),
                        List.of("run", buffers, "--json"),
                        List.of("run", buffers, "--provider", "wgpu")));
        assertThat(result.out())
                .contains(reason)
                .contains("\"provider\" : \"cpu\"")
                .contains("\"ok\" : true");
        assertThat(result.err())
                .startsWith("exit code 0\nexit code 0\narena: provider 'wgpu' is not available. Providers found:")
                .contains(reason)
                .endsWith("\nexit code 2\n") // as for any provider that is not available
                .hasLineCount(4);
    }
}
