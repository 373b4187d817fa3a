package com.example.llm.text;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts text into tokens: first at the user-defined ones, then into words, in which neighbours merge, the pair with the
 * best rank first.
 *
 * <p>Control tokens are never read from text, so that a prompt cannot hold one.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class Tokenizer {
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
        return encode(List.of(new Piece.Text(new String(utf8, StandardCharsets.ISO_8859_1))));
    }

    /**
     * Joins pieces to the tokens of a prompt.
     *
     * @param pieces texts and tokens
     * @return the tokens, with the one that begins a prompt
     */
    public int[] encode(List<Piece> pieces) {
        List<Piece> parts = pieces;
        for (int token : userDefined) {
            parts = cut(parts, token);
        }
        TokenList tokens = new TokenList();
        vocabulary.begin().ifPresent(tokens::add);
        boolean first = true; // in the text, or behind a user-defined token
        for (Piece part : parts) {
            switch (part) {
                case Piece.Token token -> tokens.add(token.id());
                case Piece.Text text -> vocabulary.model().words(text.bytes(), first).forEach(word -> add(word, tokens));
            }
            first = part instanceof Piece.Token;
        }
        return tokens.toArray();
    }

    private void add(String word, TokenList tokens) {
        int whole = vocabulary.model().takesWholeWords() ? vocabulary.id(word) : -1;
        if (whole >= 0) {
            tokens.add(whole);
        } else {
            new Merges(vocabulary, word).tokens(tokens);
        }
    }

    /** Cuts texts at each occurrence of a token, which takes its place. */
    private List<Piece> cut(List<Piece> parts, int token) {
        String bytes = vocabulary.text(token);
        List<Piece> cut = new ArrayList<>(parts.size());
        for (Piece part : parts) {
            if (!(part instanceof Piece.Text(String text))) {
                cut.add(part);
                continue;
            }
            int from = 0;
            for (int at = text.indexOf(bytes); at >= 0; at = text.indexOf(bytes, from)) {
                if (at > from) {
                    cut.add(new Piece.Text(text.substring(from, at)));
                }
                cut.add(new Piece.Token(token));
                from = at + bytes.length();
            }
            if (from < text.length()) {
                cut.add(from == 0 ? part : new Piece.Text(text.substring(from)));
            }
        }
        return cut;
    }
}
