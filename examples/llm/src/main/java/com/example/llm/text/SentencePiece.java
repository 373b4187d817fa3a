package com.example.llm.text;

import com.example.llm.ModelException;
import java.util.List;
import java.util.Map;

/**
 * BPE over the characters of a whole text, in which spaces are U+2581; the pair whose token has the best score merges
 * first. A character that is no token becomes the tokens of its bytes.
 *
 * <p><b>Source:</b> Kudo and Richardson, SentencePiece, 2018, its BPE model with byte fallback.
 */
record SentencePiece(Map<String, Integer> ids, float[] scores, Map<Integer, Integer> byteTokens, boolean spaceFirst)
        implements TokenModel {
    private static final String SPACE = Vocabulary.bytes("\u2581");

    @Override
    public List<String> words(String text, boolean isFirst) {
        return List.of((isFirst && spaceFirst ? " " + text : text).replace(" ", SPACE));
    }

    @Override
    public boolean takesWholeWords() {
        return false;
    }

    /** A byte that begins no character is one by itself. */
    @Override
    public int symbolBytes(int first) {
        if (first < 0xC0) {
            return 1;
        }
        return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    }

    @Override
    public float rank(String left, String right) {
        Integer token = ids.get(left + right);
        return token == null ? Float.NaN : scores[token];
    }

    @Override
    public void addUnknown(String symbol, TokenList tokens) {
        for (int i = 0; i < symbol.length(); i++) {
            Integer token = byteTokens.get((int) symbol.charAt(i));
            if (token == null) {
                throw new ModelException(
                        "tokenizer: expected a token for byte " + (int) symbol.charAt(i) + ", got none");
            }
            tokens.add(token);
        }
    }

    @Override
    public String shown(String token) {
        return token.replace(SPACE, " ");
    }
}
