package com.example.llm.text;

import java.util.PriorityQueue;

/**
 * A text as a chain of symbols. Each is a character at first; then the two neighbours merge whose token has the best
 * score, the leftmost of equals, until no neighbours are a token together.
 *
 * <p>A queue holds every pair that is a token. A pair whose symbols have merged with others since is passed over. So n
 * characters take n log n steps.
 */
final class Merges {
    private static final int NONE = -1;

    /** Two neighbours that are a token together; {@code length} is that of both when the pair was found. */
    private record Pair(int left, int right, float score, int length) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            return score == other.score ? Integer.compare(left, other.left) : Float.compare(other.score, score);
        }
    }

    private final Vocabulary vocabulary;
    private final String text;
    private final int[] begin;
    private final int[] length; // 0: merged into the symbol before
    private final int[] before;
    private final int[] after;
    private final PriorityQueue<Pair> queue = new PriorityQueue<>();

    /** Merges the symbols of a text, of one char for each byte of UTF-8. */
    Merges(Vocabulary vocabulary, String text) {
        this.vocabulary = vocabulary;
        this.text = text;
        begin = new int[text.length()];
        length = new int[text.length()];
        before = new int[text.length()];
        after = new int[text.length()];
        int symbols = 0;
        for (int at = 0; at < text.length(); at += length[symbols++]) {
            begin[symbols] = at;
            length[symbols] = Math.min(characterBytes(text.charAt(at)), text.length() - at);
            before[symbols] = symbols - 1;
            after[symbols] = symbols + 1;
        }
        after[symbols - 1] = NONE;
        for (int i = 0; i + 1 < symbols; i++) {
            add(i, i + 1);
        }
        merge();
    }

    /** How many bytes a character has by its first one; a byte that begins none is one by itself. */
    private static int characterBytes(int first) {
        if (first < 0xC0) {
            return 1;
        }
        return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    }

    private void add(int left, int right) {
        if (left == NONE || right == NONE) {
            return;
        }
        int both = length[left] + length[right];
        int token = vocabulary.id(text.substring(begin[left], begin[left] + both));
        if (token >= 0) {
            queue.add(new Pair(left, right, vocabulary.score(token), both));
        }
    }

    private void merge() {
        for (Pair pair = queue.poll(); pair != null; pair = queue.poll()) {
            int left = pair.left;
            int right = pair.right;
            if (length[left] == 0 || length[right] == 0 || length[left] + length[right] != pair.length) {
                continue;
            }
            length[left] += length[right];
            length[right] = 0;
            after[left] = after[right];
            if (after[left] != NONE) {
                before[after[left]] = left;
            }
            add(before[left], left);
            add(left, after[left]);
        }
    }

    /** Adds the tokens of the symbols that are left. */
    void tokens(TokenList tokens) {
        for (int i = 0; i != NONE; i = after[i]) {
            String symbol = text.substring(begin[i], begin[i] + length[i]);
            int token = vocabulary.id(symbol);
            if (token >= 0) {
                tokens.add(token);
            } else {
                symbol.chars().forEach(value -> tokens.add(vocabulary.byteToken(value)));
            }
        }
    }
}
