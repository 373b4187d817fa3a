package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    @TempDir
    Path folder;

    @Test
    void builtInNetworkIsVerified() throws IOException {
        Cli.Result result = Cli.run("run", "--json", "--provider", "cpu");
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        Map<String, String> json = result.json();
        assertThat(json.keySet())
                .containsExactly(
                        "graph",
                        "provider",
                        "device",
                        "nodes",
                        "arenaBytes",
                        "lowerBoundBytes",
                        "totalUnsharedBytes",
                        "savedBytes",
                        "segmentBytes",
                        "offset",
                        "bytes",
                        "verifiedBytes",
                        "uploadGBps",
                        "readbackGBps",
                        "tinyReadMicros",
                        "ok");
        assertThat(json)
                .containsEntry("graph", "resnet50")
                .containsEntry("provider", "cpu")
                .containsEntry("nodes", "444")
                .containsEntry("segmentBytes", "0")
                .containsEntry("offset", "0")
                .containsEntry("bytes", json.get("arenaBytes"))
                .containsEntry("ok", "true");
        // every element of every value, including the one view, is read once
        assertThat(Long.parseLong(json.getOrDefault("verifiedBytes", "0"))).isEqualTo(253_294_048L);
        assertThat(Double.parseDouble(json.getOrDefault("uploadGBps", "0"))).isPositive();
        assertThat(Double.parseDouble(json.getOrDefault("readbackGBps", "0"))).isPositive();
        assertThat(Double.parseDouble(json.getOrDefault("tinyReadMicros", "0"))).isPositive();
    }

    /** The text of the built-in network is in the test of the launcher. */
    @Test
    void textHasEveryFigure() throws IOException {
        Path graph = Files.writeString(folder.resolve("net.graph.json"), """
                {"format": "device-arena-graph/1", "name": "net", "nodes": [
                {"id": 0, "role": "input", "shape": [16], "dtype": "f32"},
                {"id": 1, "role": "param", "shape": [8], "dtype": "f32"},
                {"id": 2, "role": "op", "shape": [16], "dtype": "f32", "inputs": [0, 1]},
                {"id": 3, "role": "op", "shape": [16], "dtype": "f32", "inputs": [2]},
                {"id": 4, "role": "output", "shape": [16], "dtype": "f32", "inputs": [3]}]}
                """);
        Cli.Result result = Cli.run("run", graph.toString());
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains("net, 5 nodes, 8 parameters")
                .contains("total unshared ")
                .contains("saved ")
                .contains("lower bound ")
                .contains("the arena is 1.0000 times it")
                .contains("segments ")
                .contains("upload ")
                .contains("readback ")
                .contains("16-byte read ")
                .contains("each equal to what was written");
    }

    @Test
    void buffersOfOddSizesAreVerifiedWithEachSeed() throws IOException {
        Path csv = Files.writeString(folder.resolve("odd.csv"), """
                id,lower,upper,size
                1,0,4,1
                2,0,2,17
                3,2,4,33
                4,1,3,5
                5,3,3,100
                6,3,4,0
                """);
        for (String seed : List.of("0", "7")) {
            Cli.Result result = Cli.run("run", csv.toString(), "--json", "--align", "1", "--seed", seed);
            assertThat(result.exitCode()).isZero();
            assertThat(result.json()).containsEntry("verifiedBytes", Integer.toString(1 + 17 + 33 + 5));
        }
    }

    @Test
    void planForSegmentsIsVerified() throws IOException {
        Path csv = Files.writeString(folder.resolve("segments.csv"), """
                id,lower,upper,size
                0,0,4,96
                1,0,2,96
                2,2,4,512
                """);
        Cli.Result result = Cli.run("run", csv.toString(), "--json", "--segments", "128", "--provider", "cpu");
        assertThat(result.err()).isEmpty();
        assertThat(result.json())
                .containsEntry("arenaBytes", Integer.toString(128 + 512))
                .containsEntry("verifiedBytes", Integer.toString(96 + 96 + 512));
    }

    @Test
    void viewsFusedOpsAndRowsAreVerified() throws IOException {
        Path graph = Files.writeString(folder.resolve("views.graph.json"), """
                {"format": "device-arena-graph/1", "name": "views", "outputs": [4], "nodes": [
                {"id": 0, "role": "input", "shape": [4, 5], "dtype": "f32"},
                {"id": 1, "role": "op", "shape": [2, 5], "dtype": "f32", "inputs": [0], "viewOf": 0, "viewFirstElement": 10},
                {"id": 2, "role": "op", "shape": [10], "dtype": "f16", "inputs": [1], "fused": true},
                {"id": 3, "role": "op", "shape": [10], "dtype": "f32", "inputs": [2]},
                {"id": 4, "role": "op", "shape": [1, 5], "dtype": "f32", "inputs": [3], "viewOf": 3}]}
                """);
        Cli.Result result = Cli.run("run", graph.toString(), "--json");
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.json()).containsEntry("verifiedBytes", Integer.toString(4 * (20 + 10 + 10 + 5)));
    }

    @Test
    void reportOfTheMemory_hasTheOpenArena() throws IOException {
        Path csv = Files.writeString(folder.resolve("one.csv"), "id,lower,upper,size\n1,0,2,64\n");
        Cli.Result text = Cli.run("run", csv.toString(), "--provider", "cpu", "--report-memory");
        assertThat(text.exitCode()).isZero();
        assertThat(text.out().lines().filter(line -> line.startsWith("arena command")))
                .singleElement()
                .asString()
                .matches("arena command +host memory +64 +1 +0 +1 +[\\d,.]+ s +not recorded");
        Cli.Result json = Cli.run("run", csv.toString(), "--provider", "cpu", "--report-memory", "--json");
        assertThat(json.json())
                .containsEntry("label", "arena command")
                .containsEntry("uses", "1")
                .containsEntry("stagingBytes", "0");
    }

    @Test
    void unknownProviderIsRejectedWithAList() {
        Cli.Result result = Cli.run("run", "--provider", "tpu");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .startsWith("arena: provider 'tpu' is not available. Providers found:")
                .contains(" | cpu: available with 0 'host memory'")
                .contains(" | wgpu: ")
                .hasLineCount(1);
    }
}
