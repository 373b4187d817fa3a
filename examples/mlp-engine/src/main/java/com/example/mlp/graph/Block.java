package com.example.mlp.graph;

import io.devicearena.NodeId;

/**
 * Some rows of a layer's weight matrix, one value of the graph. A matrix is one block, unless it is larger than what a
 * kernel can bind.
 *
 * @param id the value that holds the rows
 * @param firstRow the first of the rows
 * @param rows how many
 */
public record Block(NodeId id, int firstRow, int rows) {}
