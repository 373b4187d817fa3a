package com.example.llm.text;

import com.example.llm.ModelException;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.tensor.MetadataArray;
import io.devicearena.weights.tensor.MetadataValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tokens of a model: their bytes, scores and kinds.
 *
 * <p>Bytes are kept as texts of one char for each byte, 0 to 255, so that bytes that are no UTF-8 can be looked up too.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> the keys {@code tokenizer.ggml.*} of the GGUF specification.
 */
public final class Vocabulary {
    /** What a token stands for; the number is its place in this list, as the file has it, less one. */
    enum Kind { NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE }

    private static final String KEY = "tokenizer.ggml.";
    private static final int NONE = -1;

    private final String[] texts;
    private final float[] scores;
    private final Kind[] kinds;
    private final Map<String, Integer> ids;
    private final int[] byteTokens = new int[256];
    private final int begin;
    private final int end;
    private final boolean spaceFirst;

    private Vocabulary(WeightFile file) {
        List<ByteBuffer> tokens = array(file, "tokens").textBytes(); // some end within a character
        scores = array(file, "scores").floats();
        long[] types = array(file, "token_type").integers();
        int count = tokens.size();
        if (count == 0 || scores.length != count || types.length != count) {
            throw new ModelException("tokenizer: expected as many scores and types as tokens, got " + count
                    + " tokens, " + scores.length + " scores, " + types.length + " types");
        }
        texts = new String[count];
        kinds = new Kind[count];
        ids = HashMap.newHashMap(count);
        Arrays.fill(byteTokens, NONE);
        for (int i = 0; i < count; i++) {
            texts[i] = StandardCharsets.ISO_8859_1.decode(tokens.get(i)).toString();
            kinds[i] = kind(i, types[i]);
            ids.putIfAbsent(texts[i], i);
            if (kinds[i] == Kind.BYTE) {
                byteTokens[hexadecimal(i)] = i;
            }
        }
        begin = flag(file, "add_bos_token", true) ? token(file, "bos_token_id", 1) : NONE;
        end = token(file, "eos_token_id", 2);
        spaceFirst = flag(file, "add_space_prefix", true);
    }

    /**
     * Reads the vocabulary of a file.
     *
     * @param file an open GGUF file
     * @return its tokens
     * @throws ModelException if it has no vocabulary of SentencePiece, or one that contradicts itself
     */
    public static Vocabulary of(WeightFile file) {
        String model = file.metadata(KEY + "model").map(MetadataValue::text).orElse("none");
        if (!model.equals("llama")) {
            throw new ModelException("tokenizer: expected SentencePiece ('llama'), got '" + model + "'");
        }
        return new Vocabulary(file);
    }

    private static MetadataArray array(WeightFile file, String name) {
        return file.metadata(KEY + name)
                .orElseThrow(() -> new ModelException("tokenizer: expected '" + KEY + name + "', got none"))
                .array();
    }

    private static boolean flag(WeightFile file, String name, boolean otherwise) {
        return file.metadata(KEY + name).map(MetadataValue::flag).orElse(otherwise);
    }

    private int token(WeightFile file, String name, long otherwise) {
        long id = file.metadata(KEY + name).map(MetadataValue::integer).orElse(otherwise);
        if (id < 0 || id >= texts.length) {
            throw new ModelException(KEY + name + ": expected 0 to " + (texts.length - 1) + ", got " + id);
        }
        return (int) id;
    }

    private static Kind kind(int token, long type) {
        if (type < 1 || type > Kind.values().length) {
            throw new ModelException("token " + token + ": expected a type of 1 to 6, got " + type);
        }
        return Kind.values()[(int) type - 1];
    }

    /** The byte of a token such as {@code <0x0A>}. */
    private int hexadecimal(int token) {
        String text = texts[token];
        if (!text.matches("<0x[0-9A-Fa-f]{2}>")) {
            throw new ModelException("token " + token + ": expected a byte such as <0x0A>, got '" + text + "'");
        }
        return Integer.parseInt(text, 3, 5, 16);
    }

    /** {@return the UTF-8 of a text, one char for each byte} */
    static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** {@return the number of tokens, 1 or more} */
    public int size() {
        return texts.length;
    }

    /** {@return the token that begins each prompt, or empty if the model wants none} */
    public Optional<Integer> begin() {
        return begin == NONE ? Optional.empty() : Optional.of(begin);
    }

    /**
     * {@return whether text ends at a token}
     *
     * @param token any number
     */
    public boolean isEnd(int token) {
        return token == end;
    }

    /** {@return whether a space belongs before the first word} */
    boolean spaceFirst() {
        return spaceFirst;
    }

    /** {@return the token with these bytes, or a negative number} */
    int id(String bytes) {
        return ids.getOrDefault(bytes, NONE);
    }

    /** {@return the token for a byte of 0 to 255} */
    int byteToken(int value) {
        if (byteTokens[value] == NONE) {
            throw new ModelException("tokenizer: expected a token for byte " + value + ", got none");
        }
        return byteTokens[value];
    }

    /** {@return the score of a token; the higher, the earlier its parts merge} */
    float score(int token) {
        return scores[token];
    }

    /** {@return the kind of a token} */
    Kind kind(int token) {
        return kinds[token];
    }

    /** {@return the bytes of a token as the file has them, one char for each} */
    String text(int token) {
        return texts[token];
    }

    /** {@return the tokens that text is cut at before anything merges, the longest first} */
    List<Integer> userDefined() {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i] == Kind.USER_DEFINED && !texts[i].isEmpty()) {
                found.add(i);
            }
        }
        found.sort((a, b) -> Integer.compare(texts[b].length(), texts[a].length()));
        return found;
    }
}
