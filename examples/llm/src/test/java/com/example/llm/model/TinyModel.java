package com.example.llm.model;

import com.example.llm.GgufWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A model of random weights, as small as the blocks of 256 allow. */
public final class TinyModel {
    public static final int HEAD = 128;
    private static final int VOCABULARY = 96, WIDTH = 256, INNER = 512, HEADS = 2, WINDOW = 8, CONTEXT = 64;

    final Map<String, double[]> weights = new HashMap<>();
    final GgufWriter file = new GgufWriter();
    private final int type;
    private final SplittableRandom random;

    TinyModel(boolean gemma, int type, long seed) {
        this(gemma, gemma ? 6 : 2, CONTEXT, type, seed);
    }

    private TinyModel(boolean gemma, int layers, int context, int type, long seed) {
        this.type = type;
        this.random = new SplittableRandom(seed);
        String name = gemma ? "gemma3" : "llama";
        file.with("general.architecture", name)
                .with(name + ".context_length", context)
                .with(name + ".embedding_length", WIDTH)
                .with(name + ".block_count", layers)
                .with(name + ".feed_forward_length", INNER)
                .with(name + ".attention.head_count", HEADS)
                .with(name + ".attention.head_count_kv", 1)
                .with(name + ".attention.key_length", HEAD)
                .with(name + ".attention.layer_norm_rms_epsilon", 1e-6f)
                .with(name + ".rope.freq_base", 500_000f);
        if (gemma) {
            file.with(name + ".attention.sliding_window", WINDOW);
        } else {
            matrix("output", VOCABULARY, WIDTH);
        }
        matrix("token_embd", VOCABULARY, WIDTH);
        vector("output_norm", WIDTH);
        for (int layer = 0; layer < layers; layer++) {
            layer("blk." + layer + ".", gemma);
        }
    }

    /**
     * A Llama that a command can run.
     *
     * @param layers how many
     * @param context the longest sequence
     * @return its file, of Q4_0
     */
    public static GgufWriter withCharacters(int layers, int context) {
        return withCharacters(new TinyModel(false, layers, context, PackedTensor.Q4_0, 1).file);
    }

    /**
     * A Llama that a command can run, with control tokens in the place of its last characters.
     *
     * @param layers how many
     * @param context the longest sequence
     * @param markers the control tokens
     * @return its file, of Q4_0
     */
    public static GgufWriter withMarkers(int layers, int context, String... markers) {
        return withCharacters(new TinyModel(false, layers, context, PackedTensor.Q4_0, 1).file, markers);
    }

    /** Adds tokens to a file: a space and the characters behind it, one by one, a line end, and control tokens. */
    public static GgufWriter withCharacters(GgufWriter file, String... markers) {
        List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>", "\u2581"));
        for (char c = '!'; tokens.size() < VOCABULARY - 1 - markers.length; c++) {
            tokens.add(String.valueOf(c));
        }
        tokens.add("\n");
        List<Integer> types = new ArrayList<>(List.of(2, 3, 3));
        types.addAll(Collections.nCopies(tokens.size() - types.size(), 1));
        tokens.addAll(List.of(markers));
        types.addAll(Collections.nCopies(markers.length, 3));
        return file.with("tokenizer.ggml.model", "llama")
                .withTexts("tokenizer.ggml.tokens", tokens)
                .withFloats("tokenizer.ggml.scores", Collections.nCopies(VOCABULARY, 0f))
                .withIntegers("tokenizer.ggml.token_type", types)
                .with("tokenizer.ggml.add_space_prefix", false);
    }

    /** Adds biases of queries, keys and values. */
    TinyModel withBiases() {
        for (int layer = 0; weights.containsKey("blk." + layer + ".attn_q"); layer++) {
            bias("blk." + layer + ".attn_q", HEADS * HEAD);
            bias("blk." + layer + ".attn_k", HEAD);
            bias("blk." + layer + ".attn_v", HEAD);
        }
        return this;
    }

    /** Divides the frequencies of all pairs by a number, and each pair's by one of its own. */
    TinyModel withScaledRotation(float factor) {
        file.with("llama.rope.scaling.factor", factor);
        tensor("rope_freqs", ".weight", List.of(HEAD / 2L), PackedTensor.random(PackedTensor.F32, HEAD / 2, 3, 1, random));
        return this;
    }

    private void bias(String name, int size) {
        tensor(name, ".bias", List.of((long) size), PackedTensor.random(PackedTensor.F32, size, 0.5, 0.5, random));
    }

    private void layer(String name, boolean gemma) {
        vector(name + "attn_norm", WIDTH);
        matrix(name + "attn_q", HEADS * HEAD, WIDTH);
        matrix(name + "attn_k", HEAD, WIDTH);
        matrix(name + "attn_v", HEAD, WIDTH);
        matrix(name + "attn_output", WIDTH, HEADS * HEAD);
        vector(name + "ffn_norm", WIDTH);
        matrix(name + "ffn_gate", INNER, WIDTH);
        matrix(name + "ffn_up", INNER, WIDTH);
        matrix(name + "ffn_down", WIDTH, INNER);
        if (gemma) {
            vector(name + "attn_q_norm", HEAD);
            vector(name + "attn_k_norm", HEAD);
            vector(name + "post_attention_norm", WIDTH);
            vector(name + "post_ffw_norm", WIDTH);
        }
    }

    private void matrix(String name, int rows, int columns) {
        tensor(name, ".weight", List.of((long) rows, (long) columns), PackedTensor.random(type, rows * columns, 0, 0.06, random));
    }

    private void vector(String name, int size) {
        tensor(name, ".weight", List.of((long) size), PackedTensor.random(PackedTensor.F32, size, 1, 0.2, random));
    }

    private void tensor(String name, String suffix, List<Long> shape, PackedTensor tensor) {
        weights.put(suffix.equals(".weight") ? name : name + suffix, tensor.values());
        file.withTensor(name + suffix, tensor.type(), shape, tensor.bytes());
    }

    Path write(Path folder) throws IOException {
        return file.write(folder.resolve("tiny.gguf"));
    }
}
