package com.example.llm.model;

import com.example.llm.ModelException;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.tensor.MetadataValue;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sizes of a model, from the metadata of its file.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the keys of the GGUF specification; Gemma Team, Gemma 3 Technical Report, 2025, section 2;
 * Touvron et al., Llama 2, 2023, section 2.2.
 *
 * @param gemma whether the model is Gemma 3: norms of queries, keys and updates, and windows; else Llama
 * @param contextRows the longest sequence of tokens
 * @param width of the residual stream
 * @param layers 1 or more
 * @param inner width of the feed-forward layer
 * @param heads of queries
 * @param kvHeads heads of keys and values, a divisor of {@code heads}
 * @param headDim elements of a head, even
 * @param epsilon of the norms
 * @param ropeBase of full layers
 * @param ropeDivisor what the frequencies of full layers are divided by, above 0
 * @param window how many positions a query of a layer with a window sees, its own included; 0: there are none
 */
public record ModelConfig(
        boolean gemma,
        int contextRows,
        int width,
        int layers,
        int inner,
        int heads,
        int kvHeads,
        int headDim,
        float epsilon,
        double ropeBase,
        double ropeDivisor,
        int window) {
    private static final double BASE_OF_WINDOWS = 10_000;
    private static final int LAYERS_TO_A_FULL_ONE = 6;

    /** Keys whose values the sizes are made of, or that are checked beside them. */
    private static final Set<String> READ = Set.of(
            "context_length", "embedding_length", "block_count", "feed_forward_length", "attention.head_count",
            "attention.head_count_kv", "attention.key_length", "attention.value_length", "attention.scale",
            "attention.layer_norm_rms_epsilon", "attention.sliding_window", "attention.sliding_window_pattern",
            "rope.freq_base", "rope.freq_base_swa", "rope.dimension_count", "rope.scaling.type", "rope.scaling.factor",
            "rope.scale_linear");

    /** Keys that change the computation, but for one value. */
    private static final Map<String, Double> NEUTRAL = Map.of(
            "expert_count", 0.0,
            "expert_used_count", 0.0,
            "rope.scaling.attn_factor", 1.0,
            "attn_logit_softcapping", 0.0,
            "final_logit_softcapping", 0.0,
            "attention.max_alibi_bias", 0.0,
            "attention.clamp_kqv", 0.0);

    /** Keys that change nothing: the vocabulary is that of the table, the others are of the origin of the file. */
    private static final Set<String> HARMLESS = Set.of(
            "vocab_size", "tensor_data_layout", "rope.scaling.original_context_length", "rope.scaling.finetuned",
            "mm.tokens_per_image");

    /** Checks the sizes. */
    public ModelConfig {
        if (!(ropeDivisor > 0)) {
            throw new ModelException("model: expected a factor of the rotation above 0, got " + ropeDivisor);
        }
        if (heads % kvHeads != 0 || headDim % 8 != 0 || width % 8 != 0 || !(epsilon > 0) || !(ropeBase > 0)) {
            throw new ModelException("model: expected heads that are a multiple of the key heads, widths that are"
                    + " multiples of 8, an epsilon and a rope base above 0, got " + heads + ", " + kvHeads + ", " + width
                    + ", " + headDim + ", " + epsilon + ", " + ropeBase);
        }
    }

    /**
     * Reads the sizes.
     *
     * @param file an open GGUF file
     * @return its sizes
     * @throws ModelException if it is a model of another architecture, or has no such sizes
     */
    public static ModelConfig of(WeightFile file) {
        String name = file.metadata("general.architecture").map(MetadataValue::text).orElse("none");
        if (!name.equals("gemma3") && !name.equals("llama")) {
            throw new ModelException("model: expected architecture gemma3 or llama, got '" + name + "'");
        }
        Keys keys = new Keys(file, name + ".");
        keys.requireKnown();
        boolean gemma = name.equals("gemma3");
        int width = keys.size("embedding_length");
        int heads = keys.size("attention.head_count");
        int headDim = keys.find("attention.key_length").map(v -> keys.size("attention.key_length")).orElse(width / heads);
        if (keys.find("rope.dimension_count").isPresent() && keys.size("rope.dimension_count") != headDim) {
            throw new ModelException("model: expected rope over all " + headDim + " elements of a head, got "
                    + keys.size("rope.dimension_count"));
        }
        keys.requireNeutral("attention.value_length", headDim);
        keys.requireNeutral("attention.scale", (float) (1 / Math.sqrt(headDim)));
        int contextRows = keys.size("context_length");
        if (gemma) {
            keys.requireNeutral("attention.sliding_window_pattern", LAYERS_TO_A_FULL_ONE);
            keys.requireNeutral("rope.freq_base_swa", BASE_OF_WINDOWS);
        } else if (keys.find("attention.sliding_window").isPresent() && keys.number("attention.sliding_window") < contextRows) {
            keys.requireNeutral("attention.sliding_window", 0);
        }
        return new ModelConfig(
                gemma,
                contextRows,
                width,
                keys.size("block_count"),
                keys.size("feed_forward_length"),
                heads,
                keys.find("attention.head_count_kv").map(v -> keys.size("attention.head_count_kv")).orElse(heads),
                headDim,
                (float) keys.require("attention.layer_norm_rms_epsilon").number(),
                keys.find("rope.freq_base").map(MetadataValue::number).orElse(BASE_OF_WINDOWS),
                keys.ropeDivisor(),
                gemma ? keys.size("attention.sliding_window") : 0);
    }

    /** {@return whether the queries of a layer see a window only: in Gemma 3 five of six} */
    public boolean hasWindow(int layer) {
        return gemma && layer % LAYERS_TO_A_FULL_ONE != LAYERS_TO_A_FULL_ONE - 1;
    }

    /** {@return what the frequencies of the rotation of a layer are divided by} */
    public double ropeDivisor(int layer) {
        return hasWindow(layer) ? 1 : ropeDivisor;
    }

    /** {@return the base of the rotation of a layer} */
    public double ropeBase(int layer) {
        return hasWindow(layer) ? BASE_OF_WINDOWS : ropeBase;
    }

    /** {@return what a row of the embedding is multiplied by} */
    public float embeddingScale() {
        return gemma ? (float) Math.sqrt(width) : 1;
    }

    /** {@return what the product of a query and a key is multiplied by} */
    public float scoreScale() {
        return (float) (1 / Math.sqrt(headDim));
    }

    /** {@return the activation of the gate} */
    public Activation activation() {
        return gemma ? Activation.GELU_TANH : Activation.SILU;
    }

    private record Keys(WeightFile file, String prefix) {
        Optional<MetadataValue> find(String key) {
            return file.metadata(prefix + key);
        }

        MetadataValue require(String key) {
            return find(key).orElseThrow(() -> new ModelException("model: expected '" + prefix + key + "', got none"));
        }

        int size(String key) {
            long size = require(key).integer();
            if (size < 1 || size > 1 << 24) {
                throw new ModelException(prefix + key + ": expected 1 to " + (1 << 24) + ", got " + size);
            }
            return (int) size;
        }

        /** Positions are scaled linearly unless the type says otherwise; 0 is no scaling. */
        double ropeDivisor() {
            String factor = find("rope.scaling.factor").isPresent() ? "rope.scaling.factor" : "rope.scale_linear";
            String type = find("rope.scaling.type").map(MetadataValue::text).orElse("linear");
            if (!type.equals("none") && !type.equals("linear")) {
                throw new ModelException(prefix + "rope.scaling.type: expected none, linear or no such key, got " + type
                        + ", which this engine does not compute");
            }
            return type.equals("none") || find(factor).isEmpty() || number(factor) == 0 ? 1 : number(factor);
        }

        double number(String key) {
            try {
                return require(key).number();
            } catch (IllegalArgumentException e) {
                throw new ModelException(String.valueOf(e.getMessage()));
            }
        }

        /** Refuses a value that asks for another computation than that of this engine. */
        void requireNeutral(String key, double neutral) {
            find(key).ifPresent(value -> {
                if (number(key) != neutral) {
                    throw new ModelException(prefix + key + ": expected " + shown(neutral) + " or no such key, got "
                            + value.value() + ", which this engine does not compute");
                }
            });
        }

        private static String shown(double number) {
            return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
        }

        /** Refuses keys that are not known: they may change what the model computes, and the text would be wrong. */
        void requireKnown() {
            NEUTRAL.forEach((key, neutral) -> requireNeutral(key, neutral));
            for (MetadataValue value : file.metadata().values()) {
                String key = value.key();
                if (key.startsWith(prefix) && !isKnown(key.substring(prefix.length()))) {
                    throw new ModelException(key + ": expected a key that this engine knows, got one with the value "
                            + value.value());
                }
            }
        }

        private static boolean isKnown(String key) {
            return READ.contains(key) || NEUTRAL.containsKey(key) || HARMLESS.contains(key);
        }
    }
}
