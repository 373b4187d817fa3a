package com.example.mlp.graph;

import io.devicearena.NodeId;

/**
 * A layer, {@code y = activation(W x + b)}.
 *
 * @param inputs columns of W
 * @param outputs rows of W
 * @param x the value that it reads
 * @param weights W, row by row
 * @param bias b
 * @param y the value that it makes, {@code outputs} floats for each input of the batch
 */
public record Dense(
        String name, int inputs, int outputs, boolean relu, NodeId x, NodeId weights, NodeId bias, NodeId y) {}
