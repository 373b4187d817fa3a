package io.devicearena.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.weights.KeyValueCache.Layer;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cache that the metadata of a GGUF file describe. */
class KeyValueCacheTest {
    private static final int U32 = 4;
    private static final int STRING = 8;
    private static final int ARRAY = 9;

    @TempDir
    private Path folder;

    private final List<Bytes> entries = new ArrayList<>();

    private KeyValueCacheTest name(String architecture) {
        entries.add(new Bytes().text("general.architecture").u32(STRING).text(architecture));
        return this;
    }

    private KeyValueCacheTest with(String key, long value) {
        entries.add(new Bytes().text("m." + key).u32(U32).u32(value));
        return this;
    }

    private KeyValueCacheTest withEach(String key, long... values) {
        Bytes entry = new Bytes().text("m." + key).u32(ARRAY).u32(U32).u64(values.length);
        for (long value : values) {
            entry.u32(value);
        }
        entries.add(entry);
        return this;
    }

    /** A model of two layers with four heads of eight elements, with one tensor for each layer. */
    private KeyValueCacheTest model() {
        return name("m")
                .with("block_count", 2)
                .with("context_length", 100)
                .with("embedding_length", 32)
                .with("attention.head_count", 4);
    }

    private Path file() throws IOException {
        Bytes bytes = new Bytes().ascii("GGUF").u32(3).u64(2).u64(entries.size());
        entries.forEach(entry -> bytes.raw(entry.array()));
        bytes.text("blk.0").u32(1).u64(1).u32(0).u64(0);
        bytes.text("blk.1").u32(1).u64(1).u32(0).u64(32);
        return Files.write(
                folder.resolve("model.gguf"),
                bytes.paddedTo(32).raw(new byte[64]).array());
    }

    private Optional<KeyValueCache> cache() throws IOException {
        try (WeightFile file = WeightFile.open(file())) {
            return KeyValueCache.of(file);
        }
    }

    @Test
    void cache_withoutLengths_hasThoseOfTheEmbedding() throws IOException {
        assertThat(model().cache()).contains(new KeyValueCache(100, List.of(new Layer(32, 32), new Layer(32, 32))));
    }

    @Test
    void cache_ofGroupedHeads_hasTheirOwnLengths() throws IOException {
        model().with("attention.head_count_kv", 2).with("attention.key_length", 24);
        assertThat(with("attention.value_length", 16).cache())
                .contains(new KeyValueCache(100, List.of(new Layer(48, 32), new Layer(48, 32))));
    }

    @Test
    void cache_ofAHybridModel_isOfTheLayersWithAttention() throws IOException {
        assertThat(model().withEach("attention.head_count_kv", 0, 1).cache())
                .contains(new KeyValueCache(100, List.of(new Layer(0, 0), new Layer(8, 8))));
    }

    @Test
    void cache_ofOtherFiles_isUnknown() throws IOException {
        assertThat(cache()).isEmpty();
        assertThat(name("m").with("block_count", 2).with("context_length", 100).cache())
                .isEmpty();
        Path safetensors = Files.write(folder.resolve("x.safetensors"), Bytes.safetensors("{}"));
        try (WeightFile file = WeightFile.open(safetensors)) {
            assertThat(KeyValueCache.of(file)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    block_count | 3 | m.block_count: expected 1 to 2, got 3
                    block_count | 4294967295 | m.block_count: expected 1 to 2, got 4294967295
                    context_length | 0 | m.context_length: expected 1 to 268435456, got 0
                    attention.head_count | 32769 | m.attention.head_count: expected 0 to 32768, got 32769
                    attention.key_length | 0 | m.attention.key_length: expected 1 to 32768, got 0
                    """)
    void sizesThatNoModelHas_areRefused(String key, long value, String message) throws IOException {
        name("m").with("embedding_length", 1);
        for (String each : List.of("block_count", "context_length", "attention.head_count", "attention.key_length")) {
            with(each, each.equals(key) ? value : 1);
        }
        assertThatThrownBy(this::cache)
                .isInstanceOf(WeightFileException.class)
                .hasMessage(folder.resolve("model.gguf") + ", byte 0: " + message);
    }

    @Test
    void arraysOfAnotherLength_areRefused() {
        model().withEach("attention.head_count_kv", 1, 1, 1);
        assertThatThrownBy(this::cache)
                .isInstanceOf(WeightFileException.class)
                .hasMessage(folder.resolve("model.gguf")
                        + ", byte 0: m.attention.head_count_kv, values: expected 2 to 2, got 3");
    }

    @Test
    void valuesOfAnotherType_areRefused() {
        name("m").with("context_length", 1).with("attention.head_count", 1).with("embedding_length", 1);
        entries.add(new Bytes().text("m.block_count").u32(STRING).text("two"));
        assertThatThrownBy(this::cache)
                .isInstanceOf(WeightFileException.class)
                .hasMessage(folder.resolve("model.gguf") + ", byte 0: m.block_count: expected an integer, got two");
    }
}
