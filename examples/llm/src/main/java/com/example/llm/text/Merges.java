package com.example.llm.text;

import java.util.PriorityQueue;

/**
 * A word as a chain of symbols. Each is a character or a byte at first; then the two neighbours merge that have the
 * best rank, the leftmost of equals, until none are left that merge.
 *
 * <p>A queue holds every pair that merges. A pair whose symbols have merged with others since is passed over. So n
 * symbols take n log n steps.
 */
final class Merges {
    private static final int NONE = -1;

    /** Two neighbours that merge; {@code length} is that of both when the pair was found. */
    private record Pair(int left, int right, float rank, int length) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            return rank == other.rank ? Integer.compare(left, other.left) : Float.compare(other.rank, rank);
        }
    }

    private final Vocabulary vocabulary;
    private final String text;
    private final int[] begin;
    private final int[] length; // 0: merged into the symbol before
    private final int[] before;
    private final int[] after;
    private final PriorityQueue<Pair> queue = new PriorityQueue<>();

    /** Merges the symbols of a word, of one char for each byte of UTF-8. */
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
            length[symbols] = Math.min(vocabulary.model().symbolBytes(text.charAt(at)), text.length() - at);
            before[symbols] = symbols - 1;
            after[symbols] = symbols + 1;
        }
        after[symbols - 1] = NONE;
        for (int i = 0; i + 1 < symbols; i++) {
            add(i, i + 1);
        }
        merge();
    }

    private void add(int left, int right) {
        if (left == NONE || right == NONE) {
            return;
        }
        float rank = vocabulary.model().rank(symbol(left), symbol(right));
        if (!Float.isNaN(rank)) {
            queue.add(new Pair(left, right, rank, length[left] + length[right]));
        }
    }

    private String symbol(int i) {
        return text.substring(begin[i], begin[i] + length[i]);
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
            int token = vocabulary.id(symbol(i));
            if (token >= 0) {
                tokens.add(token);
            } else {
                vocabulary.model().addUnknown(symbol(i), tokens);
            }
        }
    }
}
