package com.example.embeddings.steps;

import io.devicearena.NodeId;

/**
 * The shape of a batch, and the inputs that steps know. The rows of the sequences lie one behind the other.
 *
 * @param rows the most rows of tokens, of all sequences together
 * @param sequences the most sequences
 * @param ids U32 [rows]: the token of each row
 * @param spans U32 [rows][2]: the first row of its sequence, and the end of the sequence
 * @param ranges U32 [sequences][2]: the first row of each sequence, and its end; 0 and 0 for one that is not there
 * @param cursor U32 [4], whose second word is the number of rows of tokens that are there
 */
public record BatchShape(int rows, int sequences, NodeId ids, NodeId spans, NodeId ranges, NodeId cursor) {}
