package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.testing.Cli;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
