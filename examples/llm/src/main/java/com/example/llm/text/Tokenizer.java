package com.example.llm.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts text into tokens: first at the user-defined ones, then neighbours merge, the pair with the best score first.
 * What is no token in the end becomes the tokens of its bytes.
 *
 * <p>Control tokens are never read from text, so that a prompt cannot hold one.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> Kudo and Richardson, SentencePiece, 2018, its BPE model with byte fallback.
 */
public final class Tokenizer {
    private static final String SPACE = Vocabulary.bytes("\u2581");

    private final Vocabulary vocabulary;
    private final List<Integer> userDefined;

    /**
     * Makes a tokenizer.
     *
     * @param vocabulary the tokens of the model
     */
    public Tokenizer(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
        this.userDefined = vocabulary.userDefined();
    }

    /**
     * Cuts a text into tokens.
     *
     * @param text any text
     * @return the tokens, with the one that begins a prompt
     */
    public int[] encode(String text) {
        return encode(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Cuts bytes into tokens.
     *
     * @param utf8 a text in UTF-8; invalid bytes become tokens of bytes
     * @return the tokens, with the one that begins a prompt
     */
    public int[] encode(byte[] utf8) {
        List<Object> parts = List.of(new String(utf8, StandardCharsets.ISO_8859_1));
        for (int token : userDefined) {
            parts = cut(parts, token);
        }
        TokenList tokens = new TokenList();
        vocabulary.begin().ifPresent(tokens::add);
        boolean first = true; // in the text, or behind a user-defined token
        for (Object part : parts) {
            if (part instanceof Integer token) {
                tokens.add(token);
                first = true;
            } else {
                String text = (first && vocabulary.spaceFirst() ? " " : "") + part;
                new Merges(vocabulary, text.replace(" ", SPACE)).tokens(tokens);
                first = false;
            }
        }
        return tokens.toArray();
    }

    /** Cuts texts at each occurrence of a token, which takes its place. */
    private List<Object> cut(List<Object> parts, int token) {
        String bytes = vocabulary.text(token);
        List<Object> cut = new ArrayList<>(parts.size());
        for (Object part : parts) {
            if (!(part instanceof String text)) {
                cut.add(part);
                continue;
            }
            int from = 0;
            for (int at = text.indexOf(bytes); at >= 0; at = text.indexOf(bytes, from)) {
                if (at > from) {
                    cut.add(text.substring(from, at));
                }
                cut.add(token);
                from = at + bytes.length();
            }
            if (from < text.length()) {
                cut.add(from == 0 ? text : text.substring(from));
            }
        }
        return cut;
    }
}
