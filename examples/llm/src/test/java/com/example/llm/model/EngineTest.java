package com.example.llm.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.llm.GgufWriter;
import com.example.llm.ModelException;
import com.sun.management.ThreadMXBean;
import io.devicearena.ArenaOptions;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.Availability;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
    private static final ArenaOptions CPU = ArenaOptions.defaults().withProvider("cpu");

    private static ArenaOptions options(String provider) {
        Assumptions.assumeTrue(
                DeviceArenas.providers().stream()
                        .anyMatch(report -> report.name().equals(provider)
                                && report.availability() instanceof Availability.Ready),
                "NO DEVICE IS TESTED: " + provider + " is not available");
        return ArenaOptions.defaults().withProvider(provider);
    }

    /** The driver that stands in for a GPU takes a second for a few tokens. */
    private static void requireFast(String provider) {
        Assumptions.assumeFalse(
                provider.equals("cuda") && System.getenv("DEVICEARENA_CUDA_LIBRARY") != null,
                "NOT TESTED ON cuda: it runs on another driver than NVIDIA's");
    }

    @TempDir
    Path folder;

    /**
     * The prompt takes three runs, the last of them not full, and the text goes past the window. The logits are sums
     * of a few thousand f32 products in six layers; an error in the model moves them by more than a hundred times as
     * much. On a GPU some of the types: arena-kernels tests its kernels of each.
     */
    @ParameterizedTest(name = "{0}, gemma3 {1}, type {2}")
    @CsvSource({
        "cpu, true, 0", "cpu, true, 1", "cpu, true, 30", "cpu, true, 2", "cpu, true, 3", "cpu, true, 6", "cpu, true, 8",
        "cpu, true, 12", "cpu, true, 13", "cpu, true, 14", "cpu, false, 0", "cpu, false, 8", "cpu, false, 14",
        "wgpu, true, 1", "wgpu, true, 8", "wgpu, true, 14", "wgpu, false, 12",
        "cuda, true, 14", "cuda, false, 12"
    })
    void logitsAreThoseOfTheReference(String provider, boolean gemma, int type) throws IOException {
        requireLogits(provider, new TinyModel(gemma, type, type));
    }

    /** What a file of Llama may have more: biases, one divisor of all frequencies, and one of each. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"cpu", "wgpu", "cuda"})
    void logitsOfABiasedAndScaledModelAreThoseOfTheReference(String provider) throws IOException {
        requireLogits(provider, new TinyModel(false, 3, 1).withBiases().withScaledRotation(4));
    }

    /** Layers with a window are not scaled. */
    @Test
    void logitsOfAScaledModelWithWindowsAreThoseOfTheReference() throws IOException {
        TinyModel model = new TinyModel(true, 0, 1);
        model.file.with("gemma3.rope.scaling.type", "linear").with("gemma3.rope.scaling.factor", 4f);
        requireLogits("cpu", model);
    }

    private void requireLogits(String provider, TinyModel model) throws IOException {
        ArenaOptions options = options(provider);
        try (WeightFile file = WeightFile.open(model.write(folder))) {
            ReferenceModel reference = new ReferenceModel(ModelConfig.of(file), model.weights);
            int[] prompt = {2, 7, 11, 95, 0, 7, 7, 31, 64, 50};
            double[] expected = {};
            for (int token : prompt) {
                expected = reference.logits(token);
            }
            try (Engine engine = new Engine(file, options, 40, 4, Sampling.GREEDY)) {
                int token = engine.prefill(prompt);
                requireNear(expected, engine.logits());
                while (engine.position() < 30) {
                    expected = reference.logits(token);
                    token = engine.next();
                    requireNear(expected, engine.logits());
                }
                assertEquals(10 + 20, engine.position());
            }
        }
    }

    /** Past the window, with rings that have wrapped around; steps are discarded again and again. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"cpu", "wgpu", "cuda"})
    void stepsAheadAreDiscardedWithoutATrace(String provider) throws IOException {
        requireFast(provider);
        ArenaOptions options = options(provider);
        try (WeightFile file = WeightFile.open(new TinyModel(true, 8, 3).write(folder));
                Engine single = new Engine(file, CPU, 64, 8, Sampling.GREEDY);
                Engine ahead = new Engine(file, options, 64, 8, Sampling.GREEDY)) {
            List<Integer> expected = new ArrayList<>(List.of(single.prefill(2, 7, 11)));
            while (single.position() < 64) {
                expected.add(single.next());
            }
            List<Integer> actual = new ArrayList<>(List.of(ahead.prefill(2, 7, 11)));
            for (int i = 1; ahead.position() < 50; i++) {
                int enough = actual.size() + i % 5 + 1;
                ahead.generate(30, token -> {
                    actual.add(token);
                    return actual.size() < enough;
                });
                assertEquals(enough, actual.size());
            }
            assertEquals(expected.subList(0, actual.size()), actual);
            // the same sequence, its later part as a prompt over the rows that were written ahead
            int last = ahead.prefill(actual.getLast());
            assertEquals(expected.get(actual.size()), last);
            ahead.generate(64 - ahead.position(), token -> {
                assertEquals(expected.get(ahead.position() - 3), token);
                return true;
            });
            ModelException e = assertThrows(ModelException.class, () -> ahead.generate(1, token -> true));
            assertEquals("context: expected room for a token, got 64 of 64 tokens", e.getMessage());
        }
    }

    /** The draw depends on the seed and on the number of the token alone, and both compute it alike. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"wgpu", "cuda"})
    void tokensByChanceAreThoseOfTheHost(String provider) throws IOException {
        ArenaOptions options = options(provider);
        Sampling sampling = new Sampling(0.9f, 20, 0.95f, 7);
        try (WeightFile file = WeightFile.open(new TinyModel(false, 8, 3).write(folder));
                Engine host = new Engine(file, CPU, 64, 8, sampling);
                Engine device = new Engine(file, options, 64, 8, sampling)) {
            List<Integer> expected = new ArrayList<>(List.of(host.prefill(2, 7, 11)));
            List<Integer> actual = new ArrayList<>(List.of(device.prefill(2, 7, 11)));
            while (host.position() < 40) {
                expected.add(host.next());
            }
            device.generate(37, actual::add);
            assertEquals(expected, actual);
            assertTrue(expected.stream().distinct().count() > 3, () -> "all alike: " + expected);
        }
    }

    /** What the calling thread allocates for a token, when the compiler is done. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"wgpu", "cuda"})
    void aTokenOfADeviceAllocatesNothing(String provider) throws IOException {
        requireFast(provider);
        ArenaOptions options = options(provider);
        try (WeightFile file = WeightFile.open(new TinyModel(false, 8, 3).write(folder));
                Engine engine = new Engine(file, options, 64, 8, Sampling.GREEDY)) {
            long least = TokenAllocation.least(engine, ThreadMXBean::getCurrentThreadAllocatedBytes, 60);
            assertEquals(0, least, "bytes for 60 tokens");
        }
    }

    private static void requireNear(double[] expected, float[] actual) {
        double largest = 0;
        for (double value : expected) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertTrue(largest > 0.1, "logits are all near 0");
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], actual[i], 1e-4 * largest, "logit " + i);
        }
    }

    @Test
    void aFullContextIsRefused() throws IOException {
        try (WeightFile file = WeightFile.open(new TinyModel(false, 0, 1).write(folder));
                Engine engine = new Engine(file, CPU, 4, 4, Sampling.GREEDY)) {
            engine.prefill(1, 2, 3, 4);
            ModelException e = assertThrows(ModelException.class, engine::next);
            assertEquals("context: expected room for a token, got 4 of 4 tokens", e.getMessage());
            e = assertThrows(ModelException.class, () -> engine.prefill(1));
            assertEquals("prompt: expected 1 to 0 tokens, the rest of the context, got 1", e.getMessage());
            engine.restart();
            e = assertThrows(ModelException.class, () -> engine.prefill(1, 96));
            assertEquals("prompt: expected tokens of 0 to 95, got 96", e.getMessage());
        }
    }

    @Test
    void aModelThatDoesNotFitIsRefused() throws IOException {
        refuse(new GgufWriter().with("general.architecture", "bert"),
                "model: expected architecture gemma3 or llama, got 'bert'");
        refuse(new GgufWriter().with("general.architecture", "llama"),
                "model: expected 'llama.embedding_length', got none");
        refuse(new TinyModel(false, 0, 1).withBiases().file.withTensor("blk.1.attn_k.bias", 0, List.of(4L), new byte[16]),
                "blk.1.attn_k.bias: expected shape [128], got [4]");
        refuse(new TinyModel(true, 0, 1).file.withTensor("blk.1.attn_k.bias", 0, List.of(128L), new byte[512]),
                "model: expected tensors that this engine uses, got 'blk.1.attn_k.bias' too, without which the text would be"
                        + " wrong");
        TinyModel wrong = new TinyModel(true, 0, 1);
        refuse(wrong.file.withTensor("blk.3.ffn_norm.weight", 0, List.of(4L), new byte[16]),
                "blk.3.ffn_norm.weight: expected shape [256], got [4]");
        refuse(new TinyModel(true, 0, 1).file.without("blk.5.ffn_up.weight"),
                "model: expected a tensor 'blk.5.ffn_up.weight', got none");
        refuse(new TinyModel(false, 0, 1).file.without("token_embd.weight"),
                "model: expected a tensor 'token_embd.weight', got none");
    }

    @Test
    void aDeviceThatIsTooSmallIsRefused() {
        Engine.requireCache("a device", 100, 100);
        ModelException e = assertThrows(ModelException.class, () -> Engine.requireCache("a device", 99, 100));
        assertEquals("device: expected caches of at most 99 bytes on a device, got 100; use a smaller --context or another"
                + " --provider", e.getMessage());
    }

    private void refuse(GgufWriter model, String message) throws IOException {
        try (WeightFile file = WeightFile.open(model.write(folder.resolve("refused.gguf")))) {
            ModelException e =
                    assertThrows(ModelException.class, () -> new Engine(file, CPU, 16, 4, Sampling.GREEDY).close());
            assertEquals(message, e.getMessage());
        }
    }
}
