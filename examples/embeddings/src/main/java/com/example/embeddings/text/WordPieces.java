package com.example.embeddings.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns texts into tokens, as the model was trained with: lower case, without accents, words and marks apart, each word
 * in the longest pieces that the vocabulary has. Names of special tokens in a text are plain text.
 *
 * <p><b>Source:</b> M. Schuster and K. Nakajima, Japanese and Korean Voice Search, 2012; the rules for characters are
 * those of the tokenizer that BERT was published with.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class WordPieces {
    /** Longer words count as unknown. */
    private static final int LONGEST_WORD = 100;

    private static final String INNER = "##";

    private final Map<String, Integer> numbers = new HashMap<>();
    private final int unknown;
    private final int begin;
    private final int end;

    private WordPieces(List<String> tokens) {
        for (int i = 0; i < tokens.size(); i++) {
            numbers.put(tokens.get(i), i);
        }
        unknown = special("[UNK]");
        begin = special("[CLS]");
        end = special("[SEP]");
    }

    private int special(String token) {
        Integer number = numbers.get(token);
        if (number == null) {
            throw new IllegalArgumentException("vocabulary: expected the token " + token + ", got " + numbers.size()
                    + " tokens without it; take the vocab.txt of the model");
        }
        return number;
    }

    /**
     * Reads a vocabulary: a token in each line, numbered from 0.
     *
     * @param vocabulary the file, in UTF-8
     * @return the tokenizer
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if the vocabulary has no [UNK], [CLS] or [SEP]
     */
    public static WordPieces read(Path vocabulary) throws IOException {
        return new WordPieces(Files.readAllLines(vocabulary));
    }

    /**
     * Makes a tokenizer of a vocabulary.
     *
     * @param tokens numbered from 0
     * @return the tokenizer
     * @throws IllegalArgumentException if the vocabulary has no [UNK], [CLS] or [SEP]
     */
    public static WordPieces of(String... tokens) {
        return new WordPieces(List.of(tokens));
    }

    /** {@return the number of tokens} */
    public int size() {
        return numbers.size();
    }

    /**
     * Turns a text into tokens.
     *
     * @param text any text
     * @param most the most tokens, 2 or more; what comes behind is left out
     * @return 2 to {@code most} tokens: [CLS], those of the text, [SEP]
     * @throws IllegalArgumentException if {@code most} is less than 2
     */
    public int[] tokens(String text, int most) {
        if (most < 2) {
            throw new IllegalArgumentException("most: expected 2 or more tokens, got " + most);
        }
        TokenRow row = new TokenRow(most);
        row.add(begin);
        StringBuilder word = new StringBuilder();
        String plain = Normalizer.normalize(text, Normalizer.Form.NFD);
        for (int at = 0; at < plain.length() && row.hasRoom(); ) {
            int c = plain.codePointAt(at);
            at += Character.charCount(c);
            if (isSpace(c)) {
                addWord(word, row);
            } else if (isMark(c) || isIdeograph(c)) {
                addWord(word, row);
                addWord(word.appendCodePoint(c), row);
            } else if (!isDropped(c)) {
                word.appendCodePoint(Character.toLowerCase(c)); // each alone: no other sigma at the end of a word
            }
        }
        addWord(word, row);
        return row.endedWith(end);
    }

    private void addWord(StringBuilder word, TokenRow row) {
        if (word.isEmpty()) {
            return;
        }
        int before = row.count;
        boolean known = word.codePointCount(0, word.length()) <= LONGEST_WORD;
        for (int from = 0; known && from < word.length(); ) {
            int to = word.length();
            Integer number = piece(word, from, to);
            while (number == null && to > from + 1) {
                number = piece(word, from, --to);
            }
            known = number != null;
            if (number != null) {
                row.add(number);
                from = to;
            }
        }
        if (!known) {
            row.count = before;
            row.add(unknown);
        }
        word.setLength(0);
    }

    private Integer piece(StringBuilder word, int from, int to) {
        return numbers.get(from == 0 ? word.substring(from, to) : INNER + word.substring(from, to));
    }

    private static boolean isSpace(int c) {
        return c == '\t' || c == '\n' || c == '\r' || Character.isSpaceChar(c);
    }

    /** Accents, controls and what replaces characters that could not be read. */
    private static boolean isDropped(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK,
                    Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.SURROGATE -> true;
            default -> c == 0xFFFD;
        };
    }

    private static boolean isMark(int c) {
        if (c < 128) {
            return c > ' ' && c < 127 && !Character.isLetterOrDigit(c);
        }
        return switch (Character.getType(c)) {
            case Character.CONNECTOR_PUNCTUATION,
                    Character.DASH_PUNCTUATION,
                    Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION,
                    Character.INITIAL_QUOTE_PUNCTUATION,
                    Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION -> true;
            default -> false;
        };
    }

    /** The blocks of CJK ideographs, without kana and hangul. */
    private static boolean isIdeograph(int c) {
        return (c >= 0x4E00 && c <= 0x9FFF)
                || (c >= 0x3400 && c <= 0x4DBF)
                || (c >= 0x20000 && c <= 0x2A6DF)
                || (c >= 0x2A700 && c <= 0x2CEAF)
                || (c >= 0xF900 && c <= 0xFAFF)
                || (c >= 0x2F800 && c <= 0x2FA1F);
    }

    /** Tokens with room for one more at the end. */
    private static final class TokenRow {
        private final int[] tokens;
        private int count;

        TokenRow(int most) {
            tokens = new int[most];
        }

        boolean hasRoom() {
            return count < tokens.length - 1;
        }

        void add(int token) {
            if (hasRoom()) {
                tokens[count++] = token;
            }
        }

        int[] endedWith(int token) {
            tokens[count] = token;
            return Arrays.copyOf(tokens, count + 1);
        }
    }
}
