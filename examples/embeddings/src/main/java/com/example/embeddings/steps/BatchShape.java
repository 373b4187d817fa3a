package com.example.embeddings.steps;

import io.devicearena.NodeId;

/**
 * The shape of a batch, and the inputs that every step knows.
 *
 * @param sequences the most sequences
 * @param length the tokens of each, with those that fill it up
 * @param ids U32 [sequences][length]
 * @param lengths U32 [sequences]: the tokens of each sequence, 0 for one that is not there
 * @param cursor U32 [4], whose second word is the number of rows of sequences that are there
 */
public record BatchShape(int sequences, int length, NodeId ids, NodeId lengths, NodeId cursor) {
    /** {@return the most rows of tokens} */
    public int rows() {
        return sequences * length;
    }
}
