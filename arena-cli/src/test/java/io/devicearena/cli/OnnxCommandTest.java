package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ONNX files on the command line. The one here is a small layer without shapes: they are inferred. */
class OnnxCommandTest {
    @TempDir
    private Path folder;

    private String model = "";

    @BeforeEach
    void writeModel() throws IOException {
        try (InputStream source = Objects.requireNonNull(OnnxCommandTest.class.getResourceAsStream("layer.onnx"))) {
            model = Files.write(folder.resolve("layer.onnx"), source.readAllBytes())
                    .toString();
        }
    }

    @Test
    void plan_onnxFile_isPlannedWithItsTypesAndSharing() throws IOException {
        Cli.Result result = Cli.run("plan", model, "--dim", "batch=2", "--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.json())
                .containsEntry("arenaBytes", "256")
                .containsEntry("lowerBoundBytes", "256")
                .containsEntry("buffers", "7")
                .containsEntry("inPlace", "2")
                .containsEntry("valid", "true");
    }

    @Test
    void plan_freeDimensionWithoutSize_isRefusedWithTheOption() {
        assertRefused(
                model
                        + ": input 'x': expected a size for its dimension 'batch', got none; add --dim batch=1, or another"
                        + " size",
                "plan",
                model);
    }

    @Test
    void plan_wrongDimensions_areRefused() {
        assertRefused(
                "dimensions: expected free dimensions of the model, [batch], got 'bach'",
                "plan",
                model,
                "--dim",
                "batch=1",
                "--dim",
                "bach=2");
        for (String wrong :
                new String[] {"batch", "batch=0", "=1", "batch=x", "batch=8..4", "batch=1..9:2", "batch=4:2"}) {
            assertRefused(
                    "--dim: expected a name and a size of 1 or more or a range of sizes, for example batch=4, batch=1..64"
                            + " or width=32..640:32, got '" + wrong + "'",
                    "plan",
                    model,
                    "--dim",
                    wrong);
        }
        assertRefused(
                "--dim: expected an ONNX file, whose dimensions may be free, got resnet50.graph.json",
                "run",
                "--dim",
                "batch=1");
    }

    @Test
    void plan_rangeOfSizes_hasARowForEach() throws IOException {
        Cli.Result result =
                Cli.run("plan", model, "--dim", "batch=1..64", "--sizes", "batch=4", "--sizes", "batch=16", "--json");
        Cli.Result most = Cli.run("plan", model, "--dim", "batch=64", "--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.json().get("arenaBytes")).isEqualTo(most.json().get("arenaBytes"));
        assertThat(result.out().lines().filter(line -> line.contains("\"batch\"")))
                .extracting(String::strip)
                .containsExactly("\"batch\" : 1", "\"batch\" : 4", "\"batch\" : 16", "\"batch\" : 64");
        assertThat(Cli.run("plan", model, "--dim", "batch=1..64", "--sizes", "batch=4")
                        .out())
                .containsPattern("one plan +table +planned alone  bytes at")
                .contains("batch=1\n", "batch=4\n", "batch=64\n");
    }

    @Test
    void plan_sizesWithoutARange_areRefused() {
        assertRefused(
                "--sizes: expected a range of sizes in --dim, for example tokens=1..512, got none",
                "plan",
                model,
                "--dim",
                "batch=4",
                "--sizes",
                "batch=2");
    }

    @Test
    void run_rangeOfSizes_verifiesSmallerOnesToo() throws IOException {
        Cli.Result result = Cli.run("run", model, "--dim", "batch=1..64", "--provider", "cpu", "--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.json()).containsEntry("ok", "true").containsEntry("sizes", "5");
        assertThat(Cli.run("run", model, "--dim", "batch=1..64", "--provider", "cpu")
                        .out())
                .containsPattern("verified at +the upper bounds, and \\{batch=1}, \\{batch=\\d+}");
    }

    private static void assertRefused(String message, String... args) {
        Cli.Result result = Cli.run(args);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).isEqualTo("arena: " + message + System.lineSeparator());
    }

    @Test
    void plan_onnxFileBesideAnother_isRefused() {
        Cli.Result result = Cli.run("plan", model, model);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("got an ONNX file, whose values have no ids to share; plan it by itself");
    }

    @Test
    void run_onnxFile_streamsItsWeightsAndVerifiesThem() throws IOException {
        Cli.Result result = Cli.run("run", model, "--dim", "batch=2", "--provider", "cpu", "--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.json())
                .containsEntry("ok", "true")
                .containsEntry("tensors", "2")
                .containsEntry("bytes", "80")
                .containsEntry("verified", "true");
        assertThat(Cli.run("run", model, "--dim", "batch=2", "--provider", "cpu")
                        .out())
                .containsPattern("weights +2 tensors of the file, 80 bytes, each with its checksum before and after");
    }

    @Test
    void weights_andLoad_readOnnxFiles() throws IOException {
        assertThat(Cli.run("weights", model, "--json").json())
                .containsEntry("format", "ONNX")
                .containsEntry("totalBytes", "88");
        assertThat(Cli.run("load", model, "--provider", "cpu", "--verify", "--json")
                        .json())
                .containsEntry("tensors", "3")
                .containsEntry("verified", "true");
    }

    @Test
    void compare_withAFile_putsOthersBesideThePlan() throws IOException {
        Path compared = Files.writeString(folder.resolve("compared.json"), """
                {"format": "device-arena-comparison/1", "model": "layer.onnx", "weightBytes": 88,
                 "onnxruntime": {"version": "1.2", "activationBytes": 256, "kernelBytes": 64},
                 "onnxsim": {"version": "0.8", "activationBytes": 64, "planned": ["x", "product", "sum"], "unplanned": 2}}
                """);
        String option = "--compare=" + compared;
        assertThat(Cli.run("plan", model, "--dim", "batch=2", option, "--json").json())
                .containsEntry("sameValues", "3")
                .containsEntry("sameValuesBytes", "64")
                .containsEntry("otherWeightBytes", "88")
                .containsEntry("unplanned", "2");
        assertThat(Cli.run("plan", model, "--dim", "batch=2", option).out())
                .containsPattern("activations +64 bytes")
                .containsPattern(
                        "ONNX Runtime +256 bytes in its memory pattern \\(1.2\\); its kernels take 64 bytes more")
                .containsPattern("same values +64 bytes for the 3 values that onnxsim plans")
                .containsPattern("onnxsim +64 bytes \\(0.8\\); it leaves 2 values out")
                .containsPattern("weights +80 bytes, with the others 88 bytes");
    }

    @Test
    void compare_withAnotherFile_isRefused() throws IOException {
        Path other = Files.writeString(folder.resolve("other.json"), "{\"format\": \"x\"}");
        assertRefused(
                other
                        + ": format: expected 'device-arena-comparison/1', got 'x'; write it with tools/models/compare.py",
                "plan",
                model,
                "--dim",
                "batch=2",
                "--compare=" + other);
        Files.writeString(other, "no JSON");
        assertRefused(
                other + ": expected JSON of tools/models/compare.py, got other text",
                "plan",
                model,
                "--dim",
                "batch=2",
                "--compare=" + other);
    }

    @Test
    void brokenFile_isRefusedInOneLine() throws IOException {
        Path broken = Files.writeString(folder.resolve("broken.onnx"), "no model");
        for (String command : new String[] {"plan", "run", "weights", "load"}) {
            Cli.Result result = Cli.run(command, broken.toString());
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .startsWith("arena: " + broken + ", byte 0: ")
                    .hasLineCount(1);
        }
    }
}
