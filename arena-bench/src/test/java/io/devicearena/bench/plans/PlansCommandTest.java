package io.devicearena.bench.plans;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlansCommandTest {
    @TempDir
    private Path root;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path baseline = Path.of("");

    @BeforeEach
    void writeTrace() throws IOException {
        Path traces = Files.createDirectory(root.resolve("traces"));
        Files.writeString(traces.resolve("three.csv"), "id,lower,upper,size\n0,0,2,100\n1,1,3,50\n2,2,4,100\n");
        baseline = Files.createDirectories(root.resolve("arena-bench").resolve("baseline"))
                .resolve("plans.json");
    }

    private int plans(String... arguments) {
        return new CommandLine(new PlansCommand(root))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void unchangedFiguresPassTheirOwnBaseline() {
        assertThat(plans("--update")).isZero();
        assertThat(plans("--baseline")).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void lossAgainstTheBaselineFailsWithOneLine() throws IOException {
        plans("--update");
        String committed = Files.readString(baseline);
        int largestFirst = committed.indexOf("\"largest-first\"");
        Files.writeString(
                baseline,
                committed.substring(0, largestFirst)
                        + committed
                                .substring(largestFirst)
                                .replaceFirst("\"arenaBytes\" : 150,", "\"arenaBytes\" : 75,"));

        assertThat(plans("--baseline")).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly("arena: three, largest-first: committed ratio 0.500000, now 1.000000");
        assertThat(plans("--baseline", "--strategy", "greedy-by-breadth")).isZero();
    }

    @Test
    void furtherTracesAreReportedWithoutABaseline() throws IOException {
        plans("--update");
        Path further = Files.createDirectory(root.resolve("further"));
        Files.writeString(further.resolve("one.csv"), "id,lower,upper,size\n0,0,2,100\n");

        assertThat(plans("--baseline", "--strategy", "largest-first", "--traces", further.toString()))
                .isZero();
        assertThat(out.toString()).containsPattern("one +1  largest-first +1\\.0000 ");
    }

    @Test
    void missingBaselineAndUnknownStrategyAreWrongUsage() {
        assertThat(plans("--baseline")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("--baseline: expected " + baseline + ", found no such file; write it with --update");
        assertThat(plans("--strategy", "magic")).isEqualTo(2);
        assertThat(err.toString()).containsPattern("--strategy: expected names of .*, largest-first, .*, got 'magic'");
    }

    @Test
    void providerIsCheckedAndChangesNothing() {
        assertThat(plans("--update", "--provider", "cpu")).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(plans("--provider", "tpu")).isNotZero();
        assertThat(err.toString()).contains("provider 'tpu' is not available");
    }

    @Test
    void updateOfAPartIsWrongUsage() {
        assertThat(plans("--update", "--strategy", "balanced")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("--update: expected it without --baseline, --strategy and REGEX, to write all");
    }

    @Test
    void enginesAreComparedForTheChosenProblems() {
        assertThat(plans("--engines", "three")).isZero();
        assertThat(out.toString()).startsWith("three: 3 buffers");
        assertThat(plans("--engines", "--scale")).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("--engines: expected it without --scale, --baseline, --update, --traces and --strategy");
    }
}
