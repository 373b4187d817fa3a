package com.example.minilm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Embeddings against those of a computation in f64; needs the model's file. */
class MiniLmTest {
    private static final String MODEL = "MINILM_MODEL";

    private static Path model() {
        String file = System.getenv(MODEL);
        Assumptions.assumeTrue(
                file != null && Files.isReadable(Path.of(file)),
                "NOT TESTED: " + MODEL + " names no model.safetensors of all-MiniLM-L6-v2, see README.md");
        return Path.of(file);
    }

    private static void requireDevice(String provider) {
        Assumptions.assumeTrue(
                DeviceArenas.providers().stream()
                        .anyMatch(report -> report.name().equals(provider)
                                && report.availability() instanceof Availability.Ready),
                "NOT TESTED: provider " + provider + " has no device");
    }

    /** Token ids, and the embedding that they have in f64, in turn. */
    private static List<String> expected() throws IOException {
        try (InputStream in = MiniLmTest.class.getResourceAsStream("embeddings.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static double cosine(float[] one, double[] other) {
        double dot = 0;
        double squares = 0;
        double others = 0;
        for (int i = 0; i < one.length; i++) {
            dot += one[i] * other[i];
            squares += (double) one[i] * one[i];
            others += other[i] * other[i];
        }
        return dot / Math.sqrt(squares * others);
    }

    @ParameterizedTest
    @CsvSource({"cpu, F32, 1e-6, 1e-11", "wgpu, F32, 1e-6, 1e-11", "wgpu, F16, 2e-4, 1e-6", "wgpu, I8, 1e-2, 1e-3"})
    void embeddingsAreThoseOfTheModel_atThreeLengthsInTurn(
            String provider, DType matrices, double largestError, double largestCosineDistance) throws IOException {
        Path model = model();
        requireDevice(provider);
        ArenaOptions options =
                ArenaOptions.defaults().withProvider(provider).withF16Shadow(F16ShadowMode.OFF);
        List<String> lines = expected();
        try (MiniLm minilm = new MiniLm(model, matrices, options, 32, 128, 512)) {
            for (int round = 0; round < 2; round++) { // each length overwrites what another one left
                for (int i = 0; i < lines.size(); i += 2) {
                    int[] ids = Arrays.stream(lines.get(i).split(" "))
                            .mapToInt(Integer::parseInt)
                            .toArray();
                    double[] wanted = Arrays.stream(lines.get(i + 1).split(" "))
                            .mapToDouble(Double::parseDouble)
                            .toArray();
                    float[] found = minilm.embed(ids);
                    for (int c = 0; c < wanted.length; c++) {
                        assertEquals(wanted[c], found[c], largestError, "element " + c + " of sentence " + i / 2);
                    }
                    assertTrue(1 - cosine(found, wanted) < largestCosineDistance, "sentence " + i / 2);
                }
            }
            assertThrows(IllegalArgumentException.class, () -> minilm.embed(new int[513]));
        }
    }
}
