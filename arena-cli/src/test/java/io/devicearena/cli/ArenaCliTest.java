package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.cli.testing.Cli;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ArenaCliTest {
    @Test
    void noCommandIsWrongUsage() {
        Cli.Result result = Cli.run();
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo(
                        "arena: command: expected one of run, plan, fit, weights, load, providers, conformance, kernels, trace, got none; see 'arena --help'"
                                + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "plan x.csv --nonsense | --nonsense: expected an option of 'arena plan', got another one; see 'arena plan --help'",
                "weights --nonsense cpu x.gguf | --nonsense: expected an option of 'arena weights', got another one; see 'arena weights --help'",
                "weights x.gguf y.gguf | expected no further argument, got 'y.gguf'; see 'arena weights --help'",
                "plam x.csv | command: expected one of run, plan, fit, weights, load, providers, conformance, kernels, trace, got 'plam'; see 'arena --help'",
            })
    void unknownWordIsNamedInOneLine(String words, String problem) {
        Cli.Result result = Cli.run(words.split(" "));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("arena: " + problem + System.lineSeparator());
    }

    @Test
    void everyCommandTakesTheCommonOptions() {
        for (CommandLine command : ArenaCli.commandLine().getSubcommands().values()) {
            assertThat(command.getCommandSpec().optionsMap())
                    .as(command.getCommandName())
                    .containsKeys("--json", "--help")
                    .matches(options -> options.containsKey("--provider")
                            || command.getCommandName().equals("trace")); // it uses no device
        }
    }

    @Test
    void helpExitsWithZero() {
        Cli.Result result = Cli.run("run", "--help");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("--provider=NAME").contains("--json");
    }

    @Test
    void providersListsTheCpuWithItsLimits() throws IOException {
        Cli.Result result = Cli.run("providers", "--json", "--provider", "cpu");
        assertThat(result.exitCode()).isZero();
        assertThat(result.json())
                .containsEntry("implementation", "io.devicearena.cpu.CpuDeviceArenaProvider")
                .containsEntry("name", "host memory")
                .containsEntry("available", "true")
                .containsEntry("kind", "host")
                .containsEntry("hardware", "null")
                .containsKey("freeBytes")
                .containsEntry("maxArenaName", "physical memory")
                .containsEntry("maxSegmentBytes", result.json().get("maxArenaBytes"))
                .containsEntry("maxSegmentName", "physical memory")
                .containsEntry("maxBindingBytes", Long.toString(Long.MAX_VALUE))
                .containsEntry("maxBindingName", "binding size")
                .containsEntry("bindingAlignmentBytes", "64")
                .containsEntry("bindingAlignmentName", "alignment")
                .containsEntry("alignmentBytes", "64");
        assertThat(Cli.run("providers", "--provider", "cpu").out().lines())
                .startsWith("cpu: available", "  device 0: host memory")
                .anyMatch(line -> line.matches("    largest arena      .* bytes\\), physical memory"))
                .anyMatch(line -> line.matches("    largest segment    .* bytes\\), physical memory"))
                .contains("    largest binding    unlimited, binding size")
                .contains("    binding alignment  64 bytes, alignment")
                .contains("    alignment          64 bytes")
                .contains("    capabilities       host-memory");
    }

    @Test
    void providersPrintsFactsWhenAsked() throws IOException {
        assumeTrue(
                DeviceArenas.providers().stream()
                        .anyMatch(report ->
                                report.name().equals("wgpu") && report.availability() instanceof Availability.Ready),
                "needs a device of wgpu");
        assertThat(Cli.run("providers", "--json", "--provider", "wgpu").json())
                .containsKeys("backend", "maxWorkgroupMemoryBytes", "hasSubgroups");
        assertThat(Cli.run("providers", "--provider", "wgpu").out()).doesNotContain("maxWorkgroupMemoryBytes");
        assertThat(Cli.run("providers", "--provider", "wgpu", "--facts").out().lines())
                .anyMatch(line -> line.matches("    maxWorkgroupMemoryBytes  \\d.*bytes\\)?"))
                .anyMatch(line -> line.matches("    hasSubgroups             (true|false)"));
        assertThat(withoutFreeMemory(Cli.run("providers", "--provider", "cpu", "--facts")))
                .isEqualTo(withoutFreeMemory(Cli.run("providers", "--provider", "cpu")));
    }

    /** Free memory differs from one moment to the next. */
    private static List<String> withoutFreeMemory(Cli.Result result) {
        return result.out()
                .lines()
                .filter(line -> !line.startsWith("    free memory "))
                .toList();
    }

    @Test
    void unknownProviderIsWrongUsage() {
        Cli.Result result = Cli.run("providers", "--provider", "tpu");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo("arena: provider 'tpu': expected one of cpu, cuda, wgpu, got none of that name"
                        + System.lineSeparator());
    }

    /** A command that throws, as a planner that needs too much memory does. */
    @Command(name = "burst")
    static final class Burst implements Callable<Integer> {
        private final Throwable fault;

        private Burst(Throwable fault) {
            this.fault = fault;
        }

        @Override
        public Integer call() throws Exception {
            if (fault instanceof Error error) {
                throw error;
            }
            throw (Exception) fault;
        }
    }

    @Test
    void outOfMemoryIsReportedInOneLineWithTheRemedy() {
        Error memory = new OutOfMemoryError("Java heap space");
        for (Throwable fault : new Throwable[] {memory, new IllegalStateException("search: no answer", memory)}) {
            StringWriter err = new StringWriter();
            int exitCode = ArenaCli.commandLine()
                    .addSubcommand(new Burst(fault))
                    .setErr(new PrintWriter(err, true))
                    .execute("burst");
            assertThat(err.toString())
                    .startsWith("arena: memory: expected the work to fit a heap of ")
                    .endsWith(
                            ", got more; allow more, for example with JAVA_TOOL_OPTIONS=-Xmx8g, or plan a smaller input"
                                    + System.lineSeparator())
                    .hasLineCount(1);
            assertThat(exitCode).isEqualTo(1);
        }
    }
}
