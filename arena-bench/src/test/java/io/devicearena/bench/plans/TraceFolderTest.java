package io.devicearena.bench.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.placement.PlacementProblem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFolderTest {
    private static final String TABLE = "id,lower,upper,size\n0,0,2,100\n1,1,3,50\n";
    private static final PlacementProblem PROBLEM =
            new PlacementProblem(new long[] {100, 50}, new long[] {0, 1}, new long[] {2, 3}, 1, 0);

    @TempDir
    private Path folder;

    @Test
    void tablesAreReadPlainAndCompressed() throws IOException {
        Files.writeString(folder.resolve("plain.csv"), TABLE);
        try (OutputStream target = new GZIPOutputStream(Files.newOutputStream(folder.resolve("small.csv.gz")))) {
            target.write(TABLE.getBytes(StandardCharsets.UTF_8));
        }
        Files.writeString(folder.resolve("README.md"), "not a trace");

        assertThat(TraceFolder.read(folder))
                .extracting(TraceFolderTest::described)
                .containsExactly(
                        described(new TraceProblem("plain", PROBLEM)), described(new TraceProblem("small", PROBLEM)));
    }

    private static String described(TraceProblem trace) {
        PlacementProblem problem = trace.problem();
        return trace.name() + ", " + problem + ": "
                + IntStream.range(0, problem.count())
                        .mapToObj(i -> problem.size(i) + " from " + problem.lower(i) + " to " + problem.upper(i))
                        .toList();
    }

    @Test
    void networkPosesTheProblemAboveItsParameters() throws IOException {
        Files.writeString(
                folder.resolve("net.graph.tsv"),
                "# columns\n0\tparameter\t32\tf32\t\t\n1\top\t16\tf32\t0\t\n2\toutput\t16\tf32\t1\t\n");

        PlacementProblem problem = TraceFolder.read(folder).getFirst().problem();

        assertThat(problem.origin()).isEqualTo(128);
        assertThat(problem.alignment()).isEqualTo(64);
        assertThat(problem.lowerBound()).isEqualTo(128);
    }

    @Test
    void wrongLineIsRefusedWithFileAndLine() throws IOException {
        Path network = Files.writeString(folder.resolve("net.graph.tsv"), "# columns\n0\tking\t32\tf32\t\t\n");
        assertThatThrownBy(() -> TraceFolder.read(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(network + ": line 2: expected a node, got '0\tking\t32\tf32\t\t'");
    }

    @Test
    void folderWithoutTracesIsRefused() {
        assertThatThrownBy(() -> TraceFolder.read(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("traces: expected .csv, .csv.gz or .graph.tsv files in '" + folder
                        + "', found none; name another folder with --traces");
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> TraceFolder.read(missing))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("traces: expected a folder, got '" + missing + "'; name one with --traces");
    }
}
