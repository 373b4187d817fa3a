package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Cli;
import io.devicearena.cli.testing.SourceBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The kit outside a build, on the provider cpu and on a broken third-party provider. */
class ConformanceCommandTest {
    private static final String SOURCE = """
            import io.devicearena.ArenaDevice;
            import io.devicearena.ArenaLimits;
            import io.devicearena.ArenaOptions;
            import io.devicearena.DeviceKind;
            import io.devicearena.MemoryPlan;
            import io.devicearena.spi.ArenaBackend;
            import io.devicearena.spi.ArenaGeometry;
            import io.devicearena.spi.Availability;
            import io.devicearena.spi.DeviceArenaProvider;
            import io.devicearena.spi.SpiVersion;
            import java.lang.foreign.MemorySegment;
            import java.util.Arrays;
            import java.util.List;
            import java.util.Set;

            public class Dirty implements DeviceArenaProvider {
                public int spiVersion() { return SpiVersion.CURRENT; }
                public String name() { return "dirty"; }
                public Availability probe() {
                    return new Availability.Ready(List.of(new ArenaDevice("dirty", 0, "attic", "never swept",
                            DeviceKind.HOST, 200, new ArenaLimits(1 << 22, "attic size", 16, 1 << 22), Set.of())));
                }
                public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                    if (!device.provider().equals(name())) {
                        throw new IllegalArgumentException("device: expected mine, got " + device);
                    }
                    ArenaGeometry geometry = ArenaGeometry.of(plan, options, device);
                    byte[] bytes = new byte[(int) geometry.sizeBytes()];
                    bytes[bytes.length - 1] = 1;
                    MemorySegment memory = MemorySegment.ofArray(bytes);
                    return new ArenaBackend() {
                        public void write(long offset, MemorySegment source) {
                            // nothing arrives: nearly every clause fails at its first check
                        }
                        public void read(long offset, MemorySegment destination) {
                            MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
                        }
                    };
                }
            }
            """;

    /** The kit's own tests run every clause at full length; the command's tests need only its outcomes. */
    private static final List<String> QUICK = List.of("-Ddevicearena.effort=10", "-Ddevicearena.unshrunk=true");

    @TempDir
    Path folder;

    @Test
    void cpuConformsAndTheReportIsWritten() throws IOException {
        Path reports = folder.resolve("reports");
        Cli.Result result = Cli.run("conformance", "--provider", "cpu", "--json", "--report", reports.toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.json())
                .containsEntry("ok", "true")
                .containsEntry("spiVersion", "4")
                .containsEntry("implementation", "io.devicearena.cpu.CpuDeviceArenaProvider")
                .containsEntry("available", "true")
                .containsEntry("failed", "0")
                .containsKeys("version", "java", "system", "started", "millis", "passed", "unsupported", "leftOut");
        assertThat(Integer.parseInt(result.json().getOrDefault("passed", ""))).isPositive();
        assertThat(result.exitCode()).isZero();
        assertThat(reports.resolve("index.html")).content().contains("Every tested clause holds on cpu/0");
    }

    private static void assertReportRefused(Path reports, String reason) {
        // no provider has that name: the report is checked before anything is looked for
        Cli.Result result = Cli.run("conformance", "--provider", "tpu", "--report", reports.toString());
        assertThat(result.err()).isEqualTo("arena: --report: " + reason + System.lineSeparator());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void reportIsCheckedBeforeTheTests() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertReportRefused(file, "expected a folder, got '" + file + "', which is a file; name another one");
        assertReportRefused(
                file.resolve("a").resolve("b"),
                "expected a folder, got '" + file.resolve("a").resolve("b") + "', but '" + file
                        + "' is a file; name another one");
        Path reports = folder.resolve("reports");
        Path page = Files.createDirectories(reports.resolve("index.html"));
        assertReportRefused(reports, "expected to write '" + page + "', which is a folder; name another folder");
        assertReportRefused(Path.of(""), "expected the name of a folder, got an empty one");
        assertThat(reports).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs links and /proc")
    void reportInAFolderThatCannotBeWrittenIsRefused() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nothing"));
        assertReportRefused(
                link, "expected a folder, got '" + link + "', which is a link to nothing; name another one");
        assertReportRefused(
                Path.of("/proc/arena/reports"),
                "'/proc/arena/reports' cannot be written: no such file in '/proc'; name another folder");
    }

    @Test
    void brokenProviderFailsByNameWithoutProgressInAPipe() throws IOException, InterruptedException {
        ChildProcess.Result result = SourceBackend.compile(folder, SOURCE, "Dirty")
                .arena(QUICK, List.of(List.of("conformance", "--provider", "dirty", "--require", "cpu,tpu")));
        assertThat(result.err()).isEqualTo("exit code 1\n");
        assertThat(result.out())
                .startsWith("dirty/0: attic (never swept)")
                .contains("FAILED dirty/0 2.1 anySequenceBehavesLikeAnArrayOfBytes")
                .contains("clause 2.1 anySequenceBehavesLikeAnArrayOfBytes, provider 'dirty', device 0 'attic': ")
                .containsPattern(
                        "PROBLEM required provider 'tpu' was not found\\. Providers found: .*; put its jar on the"
                                + " path")
                .contains("does not conform: ");
    }

    @Test
    void unknownProviderIsWrongUsage() {
        Cli.Result result = Cli.run("conformance", "--provider", "tpu");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .isEqualTo(
                        "arena: provider 'tpu' was not found. Providers found: cpu, cuda, wgpu; put its jar on the path"
                                + System.lineSeparator());
    }

    @Test
    void unknownOptionIsWrongUsage() {
        assertThat(Cli.run("conformance", "--nonsense").exitCode()).isEqualTo(2);
    }
}
