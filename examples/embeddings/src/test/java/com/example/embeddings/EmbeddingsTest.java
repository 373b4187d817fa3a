package com.example.embeddings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.embeddings.text.WordPieces;
import com.sun.management.ThreadMXBean;
import io.devicearena.ArenaOptions;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors against those of a computation in f64; needs the real model. */
class EmbeddingsTest {
    private static final ThreadMXBean METER = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Texts of 232 tokens: a GPU computes 256 rows for up to as many, and 2,048 for more. */
    private static final int IN_A_BATCH = 11;

    private static Embeddings open(String provider, Precision precision) throws IOException {
        requireDevice(provider);
        return Embeddings.open(Golden.model(), ArenaOptions.defaults().withProvider(provider), precision);
    }

    private static void requireDevice(String provider) {
        Assumptions.assumeTrue(
                DeviceArenas.providers().stream()
                        .anyMatch(report -> report.name().equals(provider)
                                && report.availability() instanceof Availability.Ready),
                "NOT TESTED: provider " + provider + " has no device");
    }

    private static double distance(float[] one, double[] other) {
        double dot = 0;
        double squares = 0;
        double others = 0;
        for (int i = 0; i < one.length; i++) {
            dot += one[i] * other[i];
            squares += (double) one[i] * one[i];
            others += other[i] * other[i];
        }
        return 1 - dot / Math.sqrt(squares * others);
    }

    @Test
    void open_tensorThatNoStepReads_isRefusedByName(@TempDir Path folder) throws IOException {
        List<String> tokens = new ArrayList<>(List.of("[PAD]", "[UNK]", "[CLS]", "[SEP]"));
        while (tokens.size() < 30_522) {
            tokens.add("t" + tokens.size());
        }
        Files.write(folder.resolve("vocab.txt"), tokens);
        String none = "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}";
        byte[] header = ("{\"embeddings.position_ids" + none + ",\"pooler.dense.bias" + none
                        + ",\"encoder.relative_attention_bias" + none + "}")
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(Long.BYTES + header.length).order(ByteOrder.LITTLE_ENDIAN);
        Files.write(folder.resolve("model.safetensors"), file.putLong(header.length).put(header).array());
        ArenaOptions cpu = ArenaOptions.defaults().withProvider("cpu");
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> Embeddings.open(folder, cpu, Precision.F32).close());
        assertEquals(
                "model: expected tensors that this engine uses, got 'encoder.relative_attention_bias' too, without which"
                        + " the vectors would be wrong; take the model.safetensors of all-MiniLM-L6-v2",
                e.getMessage());
    }

    @Test
    void tokens_areThoseOfTheLibrary() throws IOException {
        WordPieces pieces = WordPieces.read(Golden.model().resolve("vocab.txt"));
        for (Golden golden : Golden.all()) {
            assertArrayEquals(golden.tokens(), pieces.tokens(golden.text(), Embeddings.MOST_TOKENS), golden.text());
        }
    }

    @ParameterizedTest
    @CsvSource({"cpu, F32, 1e-5", "cpu, F16, 1e-3", "wgpu, F32, 1e-5", "wgpu, F16, 1e-3"})
    void vectors_areThoseOfTheModel_aloneAndInBatches(String provider, Precision precision, double largest)
            throws IOException {
        List<Golden> all = Golden.all();
        try (Embeddings engine = open(provider, precision)) {
            float[][] together =
                    engine.embed(all.stream().limit(IN_A_BATCH).map(Golden::text).toList());
            for (int i = 0; i < all.size(); i++) {
                double[] expected = all.get(i).vector();
                if (i < IN_A_BATCH) {
                    assertTrue(distance(together[i], expected) < largest, "text " + i + " in a batch");
                }
                // of several lengths; the long ones once, since the precision is that of the matrices alone
                if (i % 4 == 1 && i < IN_A_BATCH || i >= IN_A_BATCH && precision == Precision.F32) {
                    float[] alone = engine.embed(all.get(i).text());
                    assertTrue(distance(alone, expected) < largest, "text " + i + " alone");
                }
            }
        }
    }

    /** Smaller batches than usual: a GPU in software takes minutes for 2,048 rows. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "wgpu"})
    void manyTexts_inAnyOrder_haveTheVectorsThatTheyHaveAlone(String provider) throws IOException {
        requireDevice(provider);
        List<int[]> texts = new ArrayList<>();
        for (int i = 0; i < 24; i++) { // 324 tokens of several lengths: one batch, and the start of another
            texts.add(Main.tokens(i, 2 + i));
        }
        Collections.shuffle(texts, new Random(27));
        ArenaOptions options = ArenaOptions.defaults().withProvider(provider);
        try (Embeddings engine = Embeddings.open(Golden.model(), List.of(16, 256), options, Precision.F32)) {
            float[][] together = engine.embedTokens(texts);
            for (int i = 0; i < texts.size(); i += 8) {
                assertArrayEquals(engine.embedTokens(List.of(texts.get(i)))[0], together[i], 1e-5f, "text " + i);
            }
        }
    }

    /** Code that the JIT compiler has not compiled yet may allocate: the least of some rounds counts. */
    @Test
    void aSteadyState_ofTheHost_allocatesNothing_inTheCallerAndItsTeam() throws IOException {
        List<int[]> texts = List.of(Main.tokens(1, 3), Main.tokens(2, 6), Main.tokens(3, 2));
        float[][] vectors = new float[texts.size()][Embeddings.WIDTH];
        try (Embeddings engine = open("cpu", Precision.F32)) {
            engine.embedTokens(texts, vectors);
            Thread caller = Thread.currentThread();
            long[] computing = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread == caller || thread.getName().startsWith("device-arena-team"))
                    .mapToLong(Thread::threadId)
                    .toArray();
            assertTrue(computing.length > 1 || Runtime.getRuntime().availableProcessors() == 1, "no team");
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 40 && least > 0; round++) {
                long before = allocated(computing);
                for (int i = 0; i < 20; i++) {
                    engine.embedTokens(texts, vectors);
                }
                least = Math.min(least, allocated(computing) - before);
            }
            assertEquals(0, least, "bytes of 20 calls");
        }
    }

    private static long allocated(long... threads) {
        long sum = 0;
        for (long thread : threads) {
            sum += METER.getThreadAllocatedBytes(thread);
        }
        return sum;
    }

    @Test
    void vectorsThatDoNotFit_areRefused() throws IOException {
        List<int[]> two = List.of(Main.tokens(0, 3), Main.tokens(1, 4));
        try (Embeddings engine = open("cpu", Precision.F32)) {
            assertEquals(
                    "vectors: expected 2 arrays, one for each text, got 1",
                    assertThrows(IllegalArgumentException.class, () -> engine.embedTokens(two, new float[384]))
                            .getMessage());
            assertEquals(
                    "vectors: expected 384 elements in each, got 383",
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> engine.embedTokens(two, new float[384], new float[383]))
                            .getMessage());
        }
    }

    @Test
    void badTokens_areRefused() throws IOException {
        try (Embeddings engine = open("cpu", Precision.F32)) {
            assertEquals(0, engine.embed(List.of()).length);
            assertEquals(
                    "texts: expected 1 to 256 tokens in each, got 257",
                    assertThrows(IllegalArgumentException.class, () -> engine.embedTokens(List.of(new int[257])))
                            .getMessage());
            assertEquals(
                    "texts: expected tokens of 0 to 30521, got 30522",
                    assertThrows(IllegalArgumentException.class, () -> engine.embedTokens(List.of(new int[] {30_522})))
                            .getMessage());
        }
    }
}
