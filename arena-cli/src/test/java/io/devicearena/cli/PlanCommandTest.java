package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {
    @TempDir
    Path folder;

    private Path csv = Path.of("");

    @BeforeEach
    void writeTable() throws IOException {
        csv = Files.writeString(folder.resolve("three.csv"), """
                id,lower,upper,size
                0,0,2,100
                1,1,3,50
                2,2,4,100
                """);
    }

    @Test
    void theDocumentHasTheFiguresOfThePlan() throws IOException {
        Cli.Result result = Cli.run("plan", csv.toString(), "--json");
        assertThat(result.exitCode()).isZero();
        Map<String, String> json = result.json();
        assertThat(json.keySet())
                .containsExactly(
                        "arenaBytes",
                        "lowerBoundBytes",
                        "totalUnsharedBytes",
                        "savedBytes",
                        "buffers",
                        "strategy",
                        "millis",
                        "valid");
        assertThat(json)
                .containsEntry("arenaBytes", "150")
                .containsEntry("lowerBoundBytes", "150")
                .containsEntry("totalUnsharedBytes", "250")
                .containsEntry("buffers", "3")
                .containsEntry("strategy", "balanced")
                .containsEntry("valid", "true");
    }

    @Test
    void alignmentRoundsOffsetsAndSizes() throws IOException {
        assertThat(Cli.run("plan", csv.toString(), "--json", "--align", "64").json())
                .containsEntry("arenaBytes", Integer.toString(128 + 64));
    }

    @Test
    void theReportHasAHeaderAndARowASlot() {
        assertThat(Cli.run("plan", csv.toString(), "--report").out())
                .isEqualTo("# arena_size=150 total_unshared=250 saved=100\n0\t100\t0\n0\t100\t2\n100\t50\t1\n");
    }

    @Test
    void thePlanIsWrittenAsATable() throws IOException {
        Path out = folder.resolve("out.csv");
        assertThat(Cli.run("plan", csv.toString(), "--out", out.toString()).exitCode())
                .isZero();
        assertThat(out).hasContent("""
                id,lower,upper,size,offset
                0,0,2,100,0
                1,1,3,50,100
                2,2,4,100,0
                """);
    }

    @Test
    void aCapacityThatFitsIsAnsweredByTheExitCode() throws IOException {
        Cli.Result result = Cli.run("plan", csv.toString(), "--json", "--capacity", "150");
        assertThat(result.exitCode()).isZero();
        assertThat(result.json()).containsEntry("fits", "true");
    }

    @Test
    void aCapacityBelowTheBoundIsToldWithWhatIsMissing() throws IOException {
        Cli.Result result = Cli.run("plan", csv.toString(), "--json", "--capacity", "149");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.json()).containsEntry("fits", "false");
        assertThat(result.err())
                .isEqualTo("arena: capacity: expected a plan of at most 149 bytes, got 150, 1 too many; no plan fits,"
                        + " since 150 bytes are live at one step, 1 too many" + System.lineSeparator());
    }

    @Test
    void anUnknownStrategyIsRefusedWithThoseThatExist() {
        Cli.Result result = Cli.run("plan", csv.toString(), "--strategy", "magic");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo(
                        "arena: strategy: expected one of balanced, largest-first, largest-first-best-fit, largest-area-first,"
                                + " longest-first, tflite-greedy-by-size, greedy-by-breadth, xla-best-of-orders, earliest-first,"
                                + " longest-on-top, got 'magic'" + System.lineSeparator());
    }

    @Test
    void anAlignmentThatIsNoPowerOfTwoIsRefused() {
        Cli.Result result = Cli.run("plan", csv.toString(), "--align", "48");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo("arena: alignment: expected a power of two, got 48" + System.lineSeparator());
    }

    @Test
    void aNamedProviderGivesItsAlignment() throws IOException {
        assertThat(Cli.run("plan", csv.toString(), "--json", "--provider", "cpu")
                        .json())
                .containsEntry("arenaBytes", Integer.toString(128 + 64));
    }
}
