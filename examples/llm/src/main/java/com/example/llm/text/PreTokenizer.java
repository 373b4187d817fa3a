package com.example.llm.text;

import com.example.llm.ModelException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Cuts text into words before any bytes merge: by a pattern, then each piece by the next one. What lies between the
 * matches of a pattern is a piece too.
 *
 * <p><b>Source:</b> the patterns are data of the models, from the {@code tokenizer.json} of GPT-2, SmolLM2, Llama 3,
 * Qwen2 and so on; which name of {@code tokenizer.ggml.pre} has which, and what it says beside, is as in llama.cpp.
 *
 * @param patterns in their order
 * @param takesWholeWords whether a word that is a token is not merged from its parts
 * @param addsBegin whether a prompt begins with a token, unless the file says so
 */
record PreTokenizer(List<Pattern> patterns, boolean takesWholeWords, boolean addsBegin) {
    private static final String DIGIT = "\\p{N}";
    private static final String GPT_2 =
            "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

    /** Of upper and lower case, of ASCII alone. */
    private static final String CONTRACTIONS = "'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])";

    private static final String WORD = "|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+";
    private static final String REST = "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String LLAMA_3 = CONTRACTIONS + WORD + "|\\p{N}{1,3}" + REST;
    private static final String QWEN_2 = CONTRACTIONS + WORD + "|\\p{N}" + REST;
    private static final String QWEN_35 = CONTRACTIONS + "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}"
            + "| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String SEED_CODER =
            CONTRACTIONS + WORD + "|\\p{N}| ?[^\\s\\p{L}\\p{N}\\r\\n]+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final String BAILING =
            CONTRACTIONS + WORD + "|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+";

    private static final Map<String, PreTokenizer> BY_NAME = new HashMap<>();

    static {
        PreTokenizer gpt2 = of(false, GPT_2);
        put(gpt2, "gpt-2", "phi-2", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0", "mellum");
        put(gpt2, "modern-bert", "mpt", "olmo", "jais", "trillion", "granite-docling", "exaone4");
        PreTokenizer digits = of(false, DIGIT, GPT_2);
        put(digits, "smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2");
        put(of(true, LLAMA_3), "llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2");
        put(of(false, LLAMA_3), "dbrx", "smaug-bpe", "glm4", "chatglm-bpe");
        put(of(false, QWEN_2), "qwen2", "deepseek-r1-qwen", "kormo", "stablelm2", "hunyuan", "megrez", "grok-2", "solar-open");
        put(of(false, QWEN_35), "qwen35");
        put(of(false, SEED_CODER), "seed-coder");
        put(of(false, BAILING), "bailingmoe", "bailingmoe2", "llada-moe");
    }

    private static PreTokenizer of(boolean isLlama3, String... patterns) {
        List<Pattern> compiled = Stream.of(patterns)
                .map(pattern -> Pattern.compile(pattern, Pattern.UNICODE_CHARACTER_CLASS))
                .toList();
        return new PreTokenizer(compiled, isLlama3, isLlama3);
    }

    private static void put(PreTokenizer preTokenizer, String... names) {
        for (String name : names) {
            BY_NAME.put(name, preTokenizer);
        }
    }

    /** {@return that with a name of llama.cpp} */
    static PreTokenizer named(String name) {
        PreTokenizer found = BY_NAME.get(name);
        if (found == null) {
            throw new ModelException("tokenizer.ggml.pre: expected one of " + new TreeSet<>(BY_NAME.keySet()) + ", got '"
                    + name + "'");
        }
        return found;
    }

    List<String> words(String text) {
        List<String> pieces = List.of(text);
        for (Pattern pattern : patterns) {
            List<String> finer = new ArrayList<>();
            for (String piece : pieces) {
                cut(piece, pattern.matcher(piece), finer);
            }
            pieces = finer;
        }
        return pieces;
    }

    private static void cut(String piece, Matcher matcher, List<String> to) {
        int from = 0;
        while (matcher.find()) {
            if (matcher.start() > from) {
                to.add(piece.substring(from, matcher.start()));
            }
            to.add(matcher.group());
            from = matcher.end();
        }
        if (from < piece.length()) {
            to.add(piece.substring(from));
        }
    }
}
