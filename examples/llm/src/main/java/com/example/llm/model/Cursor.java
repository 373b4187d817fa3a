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

    static Cursor read(MemorySegment words) {
        return new Cursor(word(words, 0), word(words, 1), token(words), word(words, 3));
    }

    /** The token alone, without an object. */
    static int token(MemorySegment words) {
        return word(words, TOKEN);
    }

    private static int word(MemorySegment words, int index) {
        return words.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, index);
    }

    void write(MemorySegment words) {
        words.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, 0, position);
        words.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, 1, count);
        words.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, TOKEN, token);
        words.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, 3, generated);
    }
}
