package com.example.llm.text;

import java.util.Arrays;

/** Tokens one after the other. */
final class TokenList {
    private int[] tokens = new int[64];
    private int size;

    void add(int token) {
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * size);
        }
        tokens[size++] = token;
    }

    int[] toArray() {
        return Arrays.copyOf(tokens, size);
    }
}
