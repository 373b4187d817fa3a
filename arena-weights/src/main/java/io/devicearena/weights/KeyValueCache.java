package io.devicearena.weights;

import io.devicearena.weights.tensor.FileFormat;
import io.devicearena.weights.tensor.MetadataArray;
import io.devicearena.weights.tensor.MetadataValue;
import io.devicearena.weights.tensor.WeightFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The key-value cache of a language model, as its GGUF file describes it: what an engine keeps for each token
 * of the context, in each layer. A layer whose queries see a window of the context only may keep less.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the GGUF specification, section "Standardized key-value pairs": {@code context_length},
 * {@code block_count}, {@code embedding_length}, {@code attention.head_count}, {@code attention.head_count_kv},
 * {@code attention.key_length} and {@code attention.value_length}, each after the name of the architecture.
 *
 * @param contextTokens the longest context that the model was made for, 1 or more
 * @param layers the layers, the first one first
 */
public record KeyValueCache(long contextTokens, List<Layer> layers) {
    private static final long MOST_TOKENS = 1L << 28; // 25 times the longest context of a published model
    private static final long MOST_HEADS = 1L << 15;

    /** Makes the description; the list is copied. */
    public KeyValueCache {
        layers = List.copyOf(layers);
    }

    /**
     * What a layer keeps for each token.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param keyElements elements of all keys, 0 in a layer without attention
     * @param valueElements elements of all values
     */
    public record Layer(long keyElements, long valueElements) {}

    /**
     * {@return the cache of a model, or empty if the file does not say} Only GGUF files do.
     *
     * @param file an open file
     * @throws WeightFileException if the metadata contradict the format, or have sizes that no model has
     */
    public static Optional<KeyValueCache> of(WeightFile file) {
        Objects.requireNonNull(file, "file");
        Optional<MetadataValue> name = file.metadata("general.architecture");
        if (file.format() != FileFormat.GGUF || name.isEmpty()) {
            return Optional.empty();
        }
        try {
            return new Keys(file, name.get().text() + ".").cache();
        } catch (IllegalArgumentException e) { // a value of another type, or out of its range
            throw new WeightFileException(file.path(), 0, String.valueOf(e.getMessage()), e);
        }
    }

    /** The metadata of an architecture. */
    private record Keys(WeightFile file, String prefix) {
        Optional<KeyValueCache> cache() {
            if (find("block_count").isEmpty()
                    || find("context_length").isEmpty()
                    || find("attention.head_count").isEmpty()
                    || find("embedding_length").isEmpty()) {
                return Optional.empty();
            }
            // each layer has tensors of its own, so a hostile file cannot ask for more layers than it has bytes
            int count = (int) number("block_count", 1, file.tensors().size());
            long[] heads = each("attention.head_count", count);
            long[] kept = find("attention.head_count_kv").isPresent() ? each("attention.head_count_kv", count) : heads;
            long keys = length("attention.key_length", heads);
            long values = length("attention.value_length", heads);
            List<Layer> layers = new ArrayList<>();
            for (long heard : kept) {
                layers.add(new Layer(heard * keys, heard * values));
            }
            return Optional.of(new KeyValueCache(number("context_length", 1, MOST_TOKENS), layers));
        }

        private Optional<MetadataValue> find(String key) {
            return file.metadata(prefix + key);
        }

        private long number(String key, long least, long most) {
            return inRange(key, find(key).orElseThrow().integer(), least, most);
        }

        private long inRange(String key, long number, long least, long most) {
            if (number < least || number > most) {
                throw new IllegalArgumentException(
                        prefix + key + ": expected " + least + " to " + most + ", got " + number);
            }
            return number;
        }

        /** A number for each layer: the file has one for all, or an array. */
        private long[] each(String key, int layers) {
            if (find(key).orElseThrow().value() instanceof MetadataArray array) {
                inRange(key + ", values", array.size(), layers, layers);
                long[] numbers = array.integers();
                for (long number : numbers) {
                    inRange(key, number, 0, MOST_HEADS);
                }
                return numbers;
            }
            long[] numbers = new long[layers];
            Arrays.fill(numbers, number(key, 0, MOST_HEADS));
            return numbers;
        }

        private long length(String key, long[] heads) {
            long most = Math.max(Arrays.stream(heads).max().orElse(0), 1);
            return find(key).isPresent()
                    ? number(key, 1, MOST_HEADS)
                    : inRange(key, number("embedding_length", 1, MOST_HEADS * MOST_HEADS) / most, 0, MOST_HEADS);
        }
    }
}
