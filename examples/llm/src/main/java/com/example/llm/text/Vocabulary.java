package com.example.llm.text;

import com.example.llm.ModelException;
import io.devicearena.weights.WeightFile;
import io.devicearena.weights.tensor.MetadataArray;
import io.devicearena.weights.tensor.MetadataValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The tokens of a model: their bytes and kinds, and how text becomes tokens.
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

    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final String KEY = "tokenizer.ggml.";
    private static final int NONE = -1;

    /** Control tokens that end an answer or a text, though a file may name one of them only. */
    private static final Set<String> ENDS = Set.of(
            "<|im_end|>", "<|endoftext|>", "<end_of_turn>", "<|eot_id|>", "<|end_of_text|>", "<|end|>");

    private final String[] texts;
    private final Kind[] kinds;
    private final Map<String, Integer> ids;
    private final TokenModel model;
    private final int begin;
    private final Set<Integer> ends = new HashSet<>();

    private Vocabulary(WeightFile file, boolean isByteLevel) {
        List<ByteBuffer> tokens = array(file, "tokens").textBytes(); // some end within a character
        long[] types = array(file, "token_type").integers();
        int count = tokens.size();
        requireCount("types", count, types.length);
        texts = new String[count];
        kinds = new Kind[count];
        ids = HashMap.newHashMap(count);
        Iterator<ByteBuffer> token = tokens.iterator(); // which reads many at once
        for (int i = 0; i < count; i++) {
            String stored = latin(token.next());
            kinds[i] = kind(i, types[i]);
            Optional<String> bytes = isByteLevel ? ByteAlphabet.decode(characters(stored)) : Optional.of(stored);
            if (bytes.isPresent()) {
                ids.putIfAbsent(bytes.get(), i);
            }
            texts[i] = kinds[i] == Kind.NORMAL ? bytes.orElse(stored) : stored;
            if (kinds[i] == Kind.CONTROL && ENDS.contains(stored)) {
                ends.add(i);
            }
        }
        boolean addsBegin;
        if (isByteLevel) {
            PreTokenizer preTokenizer = PreTokenizer.named(text(file, "pre"));
            model = new ByteLevel(preTokenizer, array(file, "merges").texts());
            addsBegin = preTokenizer.addsBegin();
        } else {
            float[] scores = array(file, "scores").floats();
            requireCount("scores", count, scores.length);
            model = new SentencePiece(ids, scores, byteTokens(), flag(file, "add_space_prefix", true));
            addsBegin = true;
            ends.add(token(file, "eos_token_id", 2));
        }
        begin = flag(file, "add_bos_token", addsBegin) ? token(file, "bos_token_id", isByteLevel ? NONE : 1) : NONE;
        for (String name : List.of("eos_token_id", "eot_token_id", "eom_token_id")) {
            if (file.metadata(KEY + name).isPresent()) {
                ends.add(token(file, name, NONE));
            }
        }
    }

    private static void requireCount(String what, int tokens, int count) {
        if (tokens == 0 || count != tokens) {
            throw new ModelException("tokenizer: expected as many " + what + " as tokens, 1 or more, got " + count + " "
                    + what + ", " + tokens + " tokens");
        }
    }

    private Map<Integer, Integer> byteTokens() {
        Map<Integer, Integer> found = new HashMap<>();
        for (int i = 0; i < texts.length; i++) {
            if (kinds[i] == Kind.BYTE) {
                found.put(hexadecimal(i), i);
            }
        }
        return found;
    }

    /**
     * Reads the vocabulary of a file.
     *
     * @param file an open GGUF file
     * @return its tokens
     * @throws ModelException if it has none of SentencePiece or of byte-level BPE, or one that contradicts itself
     */
    public static Vocabulary of(WeightFile file) {
        String model = text(file, "model");
        return switch (model) {
            case "llama" -> new Vocabulary(file, false);
            case "gpt2" -> new Vocabulary(file, true);
            default -> throw new ModelException(
                    "tokenizer: expected SentencePiece ('llama') or byte-level BPE ('gpt2'), got '" + model + "'");
        };
    }

    private static String latin(ByteBuffer from) {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String text(WeightFile file, String name) {
        return file.metadata(KEY + name).map(MetadataValue::text).orElse("none");
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
        if (type < 1 || type > KINDS.size()) {
            throw new ModelException("token " + token + ": expected a type of 1 to 6, got " + type);
        }
        return KINDS.get((int) type - 1);
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

    /** {@return the characters of UTF-8 that a text has one char for each byte of} */
    static String characters(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
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
        return ends.contains(token);
    }

    /** {@return how text becomes tokens} */
    TokenModel model() {
        return model;
    }

    /** {@return the token with these bytes, or a negative number} */
    int id(String bytes) {
        return ids.getOrDefault(bytes, NONE);
    }

    /** {@return the kind of a token} */
    Kind kind(int token) {
        return kinds[token];
    }

    /** {@return the token with a text that is cut out or put in as a whole, or a negative number} */
    int marker(String text) {
        for (int i = 0; i < texts.length; i++) {
            if (texts[i].equals(text) && (kinds[i] == Kind.CONTROL || kinds[i] == Kind.USER_DEFINED)) {
                return i;
            }
        }
        return NONE;
    }

    /** {@return the bytes of a token, one char for each} */
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
