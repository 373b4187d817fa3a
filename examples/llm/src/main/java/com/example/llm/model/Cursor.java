package com.example.llm.model;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
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

    static Cursor read(HostValues host, NodeId id) {
        MemorySegment words = host.bytes(id);
        return new Cursor(word(words, 0), word(words, 1), word(words, 2), word(words, 3));
    }

    private static int word(MemorySegment words, int index) {
        return words.getAtIndex(ValueLayout.JAVA_INT, index);
    }

    void write(HostValues host, NodeId id) {
        MemorySegment.copy(new int[] {position, count, token, generated}, 0, host.bytes(id), ValueLayout.JAVA_INT, 0, WORDS);
    }
}
