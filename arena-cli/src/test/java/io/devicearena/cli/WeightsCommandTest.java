package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.ChildProcess;
import io.devicearena.cli.testing.Cli;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files of weights: {@code weights} and {@code load}. */
class WeightsCommandTest {
    private static final String HEADER = """
            {"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},\
            "b":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[16,19]}}""";

    @TempDir
    Path folder;

    private Path model;

    @BeforeEach
    void writeModel() throws IOException {
        byte[] header = HEADER.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(8 + header.length + 19).order(ByteOrder.LITTLE_ENDIAN);
        model = Files.write(
                folder.resolve("model.safetensors"),
                bytes.putLong(header.length).put(header).array());
    }

    @Test
    void weights_documentHasEveryTensor() throws IOException {
        Cli.Result result = Cli.run("weights", model.toString(), "--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.json()).containsEntry("format", "safetensors").containsEntry("totalBytes", "19");
        assertThat(result.out().replaceAll("\\s", ""))
                .contains("{\"name\":\"a\",\"type\":\"F32\",\"shape\":[2,2],\"bytes\":16,\"offset\":"
                        + (8 + HEADER.length()) + ",\"file\":\"model.safetensors\"}");
    }

    @Test
    void weights_textHasTensorsAndTotals() {
        assertThat(Cli.run("weights", model.toString()).out().lines())
                .anyMatch(line -> line.matches("F8_E4M3 +3  \\[3\\] +b"))
                .anyMatch(line -> line.matches("safetensors +19  2 tensors"));
    }

    @Test
    void weights_withAProvider_printTheArenaThatLoadOpens() throws IOException {
        assertThat(Cli.run("weights", model.toString(), "--json", "--provider", "cpu")
                        .json())
                .containsEntry("totalBytes", "19")
                .containsEntry("provider", "cpu")
                .containsEntry("device", "host memory")
                .containsEntry("arenaBytes", "128");
        assertThat(Cli.run("weights", "--provider", "cpu", model.toString())
                        .out()
                        .lines())
                .anyMatch(line -> line.matches("arena +128  cpu: host memory"));
        assertThat(Cli.run("weights", model.toString(), "--provider", "tpu").err())
                .startsWith("arena: provider 'tpu' is not available. ");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no mkfifo")
    void aPipe_isRefusedByEveryCommand() throws IOException, InterruptedException {
        for (String name : new String[] {"pipe.safetensors", "pipe.onnx", "pipe.graph.json", "pipe.csv"}) {
            Path pipe = folder.resolve(name);
            assertThat(ChildProcess.run(folder, Map.of(), List.of("mkfifo", pipe.toString()))
                            .exitCode())
                    .isZero();
            for (String command : new String[] {"weights", "load", "plan", "run"}) {
                Cli.Result result = Cli.run(command, pipe.toString());
                assertThat(result.err())
                        .isEqualTo("arena: " + pipe + ": expected a regular file, got a pipe; write what it gives to a"
                                + " file first" + System.lineSeparator());
                assertThat(result.exitCode()).isEqualTo(2);
            }
            Cli.Result output = Cli.run("run", "--out", pipe.toString());
            assertThat(output.err())
                    .isEqualTo("arena: --out: expected a file, got a pipe, '" + pipe + "'; name a file, or /dev/stdout"
                            + System.lineSeparator());
        }
        assertThat(Cli.run("weights", "/dev/zero").err())
                .isEqualTo("arena: /dev/zero: expected a regular file, got a device; write what it gives to a file"
                        + " first" + System.lineSeparator());
        assertThat(Cli.run("weights", folder.toString()).err())
                .isEqualTo("arena: " + folder + ": expected a file, got a folder" + System.lineSeparator());
    }

    @Test
    void load_verified_reportsWhatWasLoaded() throws IOException {
        Cli.Result result = Cli.run("load", model.toString(), "--provider", "cpu", "--verify", "--json");

        assertThat(result.err()).isEmpty();
        assertThat(result.json())
                .containsEntry("provider", "cpu")
                .containsEntry("tensors", "2")
                .containsEntry("bytes", "19")
                .containsEntry("verified", "true");
        assertThat(Cli.run("load", model.toString(), "--provider", "cpu").out())
                .contains("loaded")
                .doesNotContain("verified");
    }

    @Test
    void aFileThatIsNone_isRefusedInOneLine() throws IOException {
        Path text = Files.writeString(folder.resolve("model.txt"), "weights of a model");
        for (String command : new String[] {"weights", "load"}) {
            Cli.Result result = Cli.run(command, text.toString());

            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err())
                    .startsWith(
                            "arena: " + text + ", byte 0: expected a safetensors or GGUF file, got a text that begins"
                                    + " with 'weights of a model'")
                    .hasLineCount(1);
            assertThat(Cli.run(command, folder.resolve("none").toString()).err())
                    .contains("no such file");
        }
    }
}
