package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.cli.input.DimensionRange;
import io.devicearena.cli.testing.Cli;
import io.devicearena.plan.size.Dimension;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code fit}: what a model takes, and whether a device has it. */
class FitCommandTest {
    /** More context than any host has memory for. */
    private static final long HUGE = 1L << 28;

    @TempDir
    Path folder;

    private Path onnx() throws IOException {
        try (InputStream source = Objects.requireNonNull(FitCommandTest.class.getResourceAsStream("layer.onnx"))) {
            return Files.write(folder.resolve("layer.onnx"), source.readAllBytes());
        }
    }

    private Path safetensors() throws IOException {
        byte[] header =
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}".getBytes(StandardCharsets.UTF_8);
        return Files.write(
                folder.resolve("model.safetensors"),
                ByteBuffer.allocate(8 + header.length + 16)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(header.length)
                        .put(header)
                        .array());
    }

    /** A language model of one layer, with a context of so many tokens and heads of so many elements. */
    private Path gguf(long context, int heads, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("GGUF".getBytes(StandardCharsets.US_ASCII))
                .putInt(3)
                .putLong(1)
                .putLong(6);
        text(bytes, "general.architecture").putInt(8);
        text(bytes, "m");
        text(bytes, "m.block_count").putInt(4).putInt(1);
        text(bytes, "m.context_length").putInt(10).putLong(context);
        text(bytes, "m.attention.head_count").putInt(4).putInt(heads);
        text(bytes, "m.attention.key_length").putInt(4).putInt(length);
        text(bytes, "m.embedding_length").putInt(4).putInt(heads * length);
        text(bytes, "blk.0").putInt(1).putLong(8).putInt(0).putLong(0);
        bytes.position(bytes.position() + 31 & -32).position(bytes.position() + 32);
        byte[] file = new byte[bytes.position()];
        bytes.flip().get(file);
        return Files.write(folder.resolve("model.gguf"), file);
    }

    private static ByteBuffer text(ByteBuffer bytes, String text) {
        return bytes.putLong(text.length()).put(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static Cli.Result fit(Path model, String... options) {
        List<String> words = new ArrayList<>(List.of("fit", model.toString(), "--provider", "cpu"));
        words.addAll(List.of(options));
        return Cli.run(words.toArray(String[]::new));
    }

    @Test
    void onnxFile_hasWeightsAndActivations() throws IOException {
        Cli.Result result = fit(onnx(), "--dim", "batch=2", "--json", "--scratch", "16");

        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(result.json())
                .containsEntry("weightBytes", "128")
                .containsEntry("stateBytes", "0")
                .containsEntry("activationBytes", "128")
                .containsEntry("provider", "cpu")
                .containsEntry("arenaBytes", "256")
                .containsEntry("scratchBytes", "16")
                .containsEntry("shadowBytes", "0")
                .containsEntry("stagingBytes", "0")
                .containsEntry("neededBytes", "272")
                .containsKeys("totalBytes", "freeBytes", "spareBytes")
                .containsEntry("fits", "true")
                .doesNotContainKey("largest");
    }

    @Test
    void rangeOfAnOnnxDimension_isPlannedAtItsEnd() throws IOException {
        Cli.Result result = fit(onnx(), "--dim", "batch=1..64", "--json");

        assertThat(result.json())
                .containsEntry("name", "batch")
                .containsEntry("size", "64")
                .containsEntry("largest", "64");
        assertThat(Long.parseLong(result.json().get("activationBytes"))).isGreaterThan(128);
    }

    @Test
    void languageModel_hasTheCacheOfItsContext() throws IOException {
        Path model = gguf(100, 4, 8);

        assertThat(fit(model, "--json").json())
                .containsEntry("weightBytes", "64")
                .containsEntry("stateBytes", Integer.toString(2 * 100 * 4 * 8 * 2))
                .containsEntry("activationBytes", "null")
                .containsEntry("name", "context")
                .containsEntry("size", "100")
                .containsEntry("largest", "100");
        assertThat(fit(model, "--json", "--dim", "context=50", "--cache-type", "f32")
                        .json())
                .containsEntry("stateBytes", Integer.toString(2 * 50 * 4 * 8 * 4))
                .containsEntry("size", "50")
                .containsEntry("most", "100")
                .containsEntry("largest", "100");
    }

    @Test
    void contextThatDoesNotFit_failsWithTheLargestThatDoes() throws IOException {
        Path model = gguf(HUGE, 1024, 256); // 1 MiB for each token

        Cli.Result result = fit(model, "--json");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).isEqualTo("arena: " + model + ": expected a device that it fits, got none\n");
        assertThat(result.json()).containsEntry("fits", "false");
        assertThat(Long.parseLong(result.json().get("spareBytes"))).isNegative();
        assertThat(Long.parseLong(result.json().get("largest"))).isBetween(1L, HUGE - 1);

        assertThat(fit(model, "--dim", "context=" + HUGE / 2 + ".." + HUGE)
                        .out()
                        .lines())
                .anyMatch(line -> line.startsWith("fits            no, "))
                .anyMatch(line -> line.equals("largest         no context of 134,217,728 to 268,435,456"));
    }

    @Test
    void safetensorsFile_hasWeightsAlone() throws IOException {
        Cli.Result result = fit(safetensors());

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines())
                .startsWith(
                        "model           model.safetensors",
                        "weights         64 bytes",
                        "state           not known, the file does not say",
                        "activations     not known, the file has no graph",
                        "",
                        "device          cpu: host memory",
                        "arena           64 bytes",
                        "needed          64 bytes")
                .anyMatch(line -> line.matches("memory +.+ bytes\\), free .+ bytes\\)"))
                .anyMatch(line -> line.matches("fits +yes, .+ left"))
                .hasSize(10);
    }

    @Test
    void withoutAProvider_everyDeviceIsListed() throws IOException {
        Cli.Result result = Cli.run("fit", safetensors().toString(), "--json");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("\"provider\" : \"cpu\"");
    }

    @Test
    void wrongDimensions_areRefused() throws IOException {
        Path onnx = onnx();
        Path model = gguf(100, 4, 8);
        assertRefused(
                onnx + ": input 'x': expected a size for its dimension 'batch', got none; add --dim batch=1, or another"
                        + " size",
                onnx);
        for (String wrong : List.of("batch", "batch=", "=3", "batch=0", "batch=3..2", "batch=1..", "batch=x..4")) {
            assertRefused(
                    "--dim: expected a name and a size of 1 or more or a range of sizes, for example batch=4,"
                            + " batch=1..64 or width=32..640:32, got '" + wrong + "'",
                    onnx,
                    "--dim",
                    wrong);
        }
        assertRefused("--dim: expected each name once, got 'a' twice", onnx, "--dim", "a=1", "--dim", "a=2");
        assertRefused(
                "--dim: expected a range for one dimension, got one for 'a' and one for 'b'; give one of them a size",
                onnx,
                "--dim",
                "a=1..2",
                "--dim",
                "b=1..2");
        assertRefused(
                "--dim: expected context=N with at most 100 tokens, as the model was made for, got context of 101",
                model,
                "--dim",
                "context=101");
        assertRefused(
                "--dim: expected context=N with at most 100 tokens, as the model was made for, got batch of 1",
                model,
                "--dim",
                "batch=1");
        Path weights = safetensors();
        assertRefused(
                "--dim: expected a file with a free dimension, an ONNX file or a GGUF file of a language model, got "
                        + weights,
                weights,
                "--dim",
                "batch=1");
    }

    @Test
    void wrongFiles_areRefused() throws IOException {
        assertRefused(folder + ": expected a file, got a folder", folder);
        assertThat(fit(folder.resolve("none.gguf")).exitCode()).isEqualTo(2);
        assertThat(fit(Files.writeString(folder.resolve("bad.onnx"), "no")).exitCode())
                .isEqualTo(2);
        Path model = gguf(0, 4, 8);
        assertRefused(model + ", byte 0: m.context_length: expected 1 to 268435456, got 0", model);
        Path whole = gguf(100, 4, 8);
        byte[] bytes = Files.readAllBytes(whole);
        for (int i = 0; i < bytes.length; i += 3) {
            byte[] changed = bytes.clone();
            changed[i] ^= (byte) 0x81;
            Cli.Result result = fit(Files.write(folder.resolve("changed.gguf"), changed), "--json");
            assertThat(result.exitCode()).as("byte " + i).isIn(0, 1, 2);
            assertThat(result.err().lines().count()).as("byte " + i).isLessThanOrEqualTo(1);
        }
    }

    private static void assertRefused(String message, Path model, String... options) {
        Cli.Result result = fit(model, options);
        assertThat(result.err().strip()).isEqualTo("arena: " + message);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void largestSize_isFoundWhereverItLies() {
        for (long least = 1; least < 6; least++) {
            for (long most = least; most < 40; most++) {
                for (long fits = least - 1; fits <= most; fits++) {
                    long last = fits;
                    assertThat(DimensionRange.largest(new Dimension("x", least, most), size -> size <= last))
                            .isEqualTo(fits < least ? 0 : fits);
                }
            }
        }
        assertThat(DimensionRange.largest(new Dimension("x", 1, Long.MAX_VALUE), size -> true))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(DimensionRange.largest(new Dimension("x", 32, 640, 32), size -> size < 300))
                .isEqualTo(288);
    }
}
