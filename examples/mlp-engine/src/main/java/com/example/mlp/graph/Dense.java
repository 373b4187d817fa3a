package com.example.mlp.graph;

import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * A layer, {@code y = activation(W x + b)}.
 *
 * @param inputs columns of W
 * @param outputs rows of W
 * @param x the value that it reads
 * @param blocks W in blocks of whole rows, in order; each row by row
 * @param bias b
 * @param y the value that it makes, {@code outputs} floats for each input of the batch
 */
public record Dense(
        String name, int inputs, int outputs, boolean relu, NodeId x, List<Block> blocks, NodeId bias, NodeId y) {
    public Dense {
        blocks = List.copyOf(blocks);
    }

    /**
     * Makes a layer whose blocks are as large as allowed.
     *
     * @param firstId the id of the first block; the others follow it, then the bias and the output
     * @param maxBlockBytes bytes of a block, at least those of a row of f32
     */
    static Dense of(
            String name, int inputs, int outputs, boolean relu, NodeId x, long firstId, long maxBlockBytes) {
        long rowBytes = (long) inputs * Float.BYTES;
        if (rowBytes > maxBlockBytes) {
            throw new IllegalArgumentException("layer " + name + ": expected weights of at most " + maxBlockBytes
                    + " bytes a row, got " + rowBytes + "; give it fewer inputs");
        }
        int most = (int) Math.min(outputs, maxBlockBytes / rowBytes);
        List<Block> blocks = new ArrayList<>();
        for (int row = 0; row < outputs; row += most) {
            blocks.add(new Block(NodeId.of(firstId + blocks.size()), row, Math.min(most, outputs - row)));
        }
        long next = firstId + blocks.size();
        return new Dense(name, inputs, outputs, relu, x, blocks, NodeId.of(next), NodeId.of(next + 1));
    }
}
