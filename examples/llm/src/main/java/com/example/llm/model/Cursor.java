package com.example.llm.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Where a run is: four words of a state that the steps read, and the last one moves on.
 *
 * @param position of the first row of the run in the sequence
 * @param count the valid rows of the run
 * @param token the one that was chosen last
 * @param generated how many were chosen
 */
record Cursor(int position, int count, int token, int generated) {
    static final int WORDS = 4;
    static final long BYTES = 4L * WORDS;

    private static final int TOKEN = 2;
    private static final int GENERATED = 3;

    static int token(MemorySegment words) {
        return word(words, TOKEN);
    }

    static int generated(MemorySegment words) {
        return word(words, GENERATED);
    }

    /** Moves on behind the rows of a run, to the token that was chosen. */
    static void advance(MemorySegment words, int chosen) {
        set(words, 0, word(words, 0) + word(words, 1));
        set(words, 1, 1);
        set(words, TOKEN, chosen);
        set(words, GENERATED, generated(words) + 1);
    }

    private static int word(MemorySegment words, int index) {
        return words.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
    }

    private static void set(MemorySegment words, int index, int word) {
        words.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index, word);
    }

    void write(MemorySegment words) {
        set(words, 0, position);
        set(words, 1, count);
        set(words, TOKEN, token);
        set(words, GENERATED, generated);
    }
}
