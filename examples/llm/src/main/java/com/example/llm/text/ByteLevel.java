package com.example.llm.text;

import com.example.llm.ModelException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * BPE over the bytes of words; the pair that is earliest in a list merges first. A byte that is no token is left out,
 * as in other implementations: vocabularies lack some that occur in no text.
 *
 * <p><b>Source:</b> Sennrich et al., Neural Machine Translation of Rare Words with Subword Units, 2016; Radford et al.,
 * Language Models are Unsupervised Multitask Learners, 2019, section 2.2.
 */
final class ByteLevel implements TokenModel {
    private static final char BETWEEN = 256; // is no byte

    private final PreTokenizer preTokenizer;
    private final Map<String, Integer> order;

    /** Takes the pairs in their order, each with a space between its two parts. */
    ByteLevel(PreTokenizer preTokenizer, List<String> pairs) {
        this.preTokenizer = preTokenizer;
        order = HashMap.newHashMap(pairs.size());
        for (int i = 0; i < pairs.size(); i++) {
            String pair = pairs.get(i);
            int space = pair.indexOf(' ', 1);
            String left = space < 0 ? null : ByteAlphabet.decode(pair.substring(0, space)).orElse(null);
            String right = space < 0 ? null : ByteAlphabet.decode(pair.substring(space + 1)).orElse(null);
            if (left == null || right == null || right.isEmpty()) {
                throw new ModelException(
                        "tokenizer.ggml.merges, " + i + ": expected two parts in characters of bytes, got '" + pair + "'");
            }
            order.putIfAbsent(left + BETWEEN + right, i);
        }
    }

    @Override
    public List<String> words(String text, boolean isFirst) {
        return preTokenizer.words(Vocabulary.characters(text)).stream().map(Vocabulary::bytes).toList();
    }

    @Override
    public boolean takesWholeWords() {
        return preTokenizer.takesWholeWords();
    }

    @Override
    public int symbolBytes(int first) {
        return 1;
    }

    @Override
    public float rank(String left, String right) {
        Integer at = order.get(left + BETWEEN + right);
        return at == null ? Float.NaN : -at;
    }

    @Override
    public void addUnknown(String symbol, TokenList tokens) {}

    @Override
    public String shown(String token) {
        return token;
    }
}
