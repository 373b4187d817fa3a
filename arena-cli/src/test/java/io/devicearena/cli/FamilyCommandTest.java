package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Several graphs in one arena: {@code plan A.graph.json B.graph.json}. */
class FamilyCommandTest {
    @TempDir
    Path folder;

    /** A graph with 1,024 bytes of weights and a cache, and 2 values of so many elements that are live at once. */
    private Path graph(String name, long elements) throws IOException {
        return Files.writeString(
                Files.createDirectories(folder.resolve(name).getParent())
                        .resolve(Path.of(name).getFileName() + ".graph.json"),
                """
                {"format": "device-arena-graph/1", "nodes": [
                {"id": 0, "name": "weights", "role": "param", "dtype": "f32", "shape": [192]},
                {"id": 3, "name": "cache", "role": "state", "dtype": "f32", "shape": [64]},
                {"id": 1, "role": "input", "dtype": "f32", "shape": [ELEMENTS]},
                {"id": 2, "role": "output", "dtype": "f32", "shape": [ELEMENTS], "inputs": [0, 1]}]}
                """.replace("ELEMENTS", String.valueOf(elements)));
    }

    private Cli.Result plan(String... options) throws IOException {
        String[] args = new String[options.length + 4];
        System.arraycopy(options, 0, args, 4, options.length);
        args[0] = "plan";
        args[1] = graph("short", 64).toString();
        args[2] = graph("long", 1_024).toString();
        args[3] = graph("other/short", 128).toString();
        return Cli.run(args);
    }

    @Test
    void documentHasTheFiguresOfTheArenaAndOfEachGraph() throws IOException {
        Cli.Result result = plan("--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.json())
                .containsEntry("arenaBytes", String.valueOf(1_024 + 2 * 4_096))
                .containsEntry("sharedBytes", "1024")
                .containsEntry("separateBytes", String.valueOf(3 * 1_024 + 2 * (4_096 + 256 + 512)))
                .containsEntry("valid", "true");
        assertThat(result.out().replaceAll("\\s", ""))
                .contains("\"members\":[{\"name\":\"short\",\"ownBytes\":512,\"lowerBoundBytes\":1536,\"buffers\":4,"
                        + "\"reordered\":false},{\"name\":\"long\",\"ownBytes\":8192,")
                .contains("{\"name\":\"short2\",\"ownBytes\":1024,");
    }

    @Test
    void textHasARowForEachGraph() throws IOException {
        assertThat(plan().out().lines())
                .anyMatch(line -> line.matches("input +3 graphs"))
                .anyMatch(line -> line.matches("shared +1.00 KiB .1,024 bytes."))
                .anyMatch(line -> line.matches(" +8,192 +8,192  long, 4 values"))
                .anyMatch(line -> line.matches(" +1,024 +1,024  short 2, 4 values"));
    }

    @Test
    void pageHasThePictureOfEachGraph() throws IOException {
        Path page = folder.resolve("page.html");

        assertThat(plan("--html", page.toString()).err()).isEmpty();
        assertThat(Files.readString(page))
                .contains("<h2 id=\"graph1\">short</h2>", "<h2 id=\"graph3\">short 2</h2>")
                .contains(
                        "&lt;title&gt;short 2&lt;/title&gt;", "&quot;name&quot;:[&quot;weights&quot;,&quot;cache&quot;")
                .containsPattern("(?s)(<iframe title=\"[^\"]*\" srcdoc=\"[^\"]*\"></iframe>.*){3}")
                .doesNotContain("http://", "src=\"http");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such names of files")
    void pageEscapesControlCharacters() throws IOException {
        Path page = folder.resolve("page.html");
        String file = graph("red\u001b[31m\u202e", 64).toString();

        assertThat(Cli.run("plan", file, file, "--html", page.toString()).err()).isEmpty();
        assertThat(Files.readString(page))
                .contains("<h2 id=\"graph1\">red\\u001b[31m\\u202e</h2>")
                .doesNotContain("\u001b", "\u202e");
    }

    @Test
    void capacityIsThatOfTheWholeArena() throws IOException {
        Cli.Result small = plan("--capacity", "9000");

        assertThat(plan("--capacity", "9216").exitCode()).isZero();
        assertThat(small.exitCode()).isEqualTo(1);
        assertThat(small.err()).contains("expected a plan of at most 9000 bytes, got 9216, 216 too many");
    }

    @Test
    void optionsForOneFileAreRefused() throws IOException {
        for (String option : new String[] {"--report", "--out=a.csv", "--backward=b.graph.json"}) {
            Cli.Result result = plan(option);

            assertThat(result.exitCode()).as(option).isEqualTo(2);
            assertThat(result.err()).contains(option.replaceFirst("=.*", "") + ": expected one file, got 3");
        }
    }

    @Test
    void aTableOrAGraphThatDisagreesIsRefused() throws IOException {
        Path first = graph("first", 64);
        Path second = Files.writeString(
                folder.resolve("second.graph.json"),
                Files.readString(graph("second", 64)).replace("[192]", "[128]"));
        Path table = Files.writeString(folder.resolve("a.csv"), "id,lower,upper,size\n0,0,2,100\n");

        Cli.Result disagreeing = Cli.run("plan", first.toString(), second.toString());
        assertThat(disagreeing.exitCode()).isEqualTo(2);
        assertThat(disagreeing.err())
                .contains(
                        "first.graph.json: line 2, column 1 and ",
                        "expected one value in all graphs, got 192 elements of");
        assertThat(Cli.run("plan", first.toString(), table.toString()).err())
                .contains("a.csv: expected a graph (.graph.json) beside other files, got a table of buffers");
    }

    @Test
    void invalidFiles_areRefusedInOneLine() throws IOException {
        Path first = graph("first", 64);
        Path broken = Files.writeString(folder.resolve("broken.graph.json"), "{");

        for (String[] bad : new String[][] {
            {folder.resolve("none.graph.json").toString(), "expected a file, found none of that name"},
            {folder.toString(), "expected a file, got a folder"},
            {broken.toString(), "expected the rest of the graph, got the end of the file"}
        }) {
            Cli.Result result = Cli.run("plan", first.toString(), bad[0]);
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err().lines()).hasSize(1);
            assertThat(result.err().strip()).startsWith("arena: " + bad[0]).endsWith(bad[1]);
        }
    }

    @Test
    void theSameGraphTwice_needsNoMore() throws IOException {
        String file = graph("first", 64).toString();
        Cli.Result result = Cli.run("plan", file, file, "--json");

        assertThat(result.exitCode()).isZero();
        assertThat(result.json()).containsEntry("arenaBytes", "1536").containsEntry("separateBytes", "3072");
        assertThat(result.out()).contains("\"name\" : \"first 2\"");
    }
}
