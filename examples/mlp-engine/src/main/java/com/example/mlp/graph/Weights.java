package com.example.mlp.graph;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a network has learned.
 *
 * @param matrices of each layer, row by row
 * @param biases of each layer
 */
public record Weights(List<float[]> matrices, List<float[]> biases) {
    /** Weights to begin learning with: uniform, with the variance of He et al. 2015 (2 over the inputs). */
    public static Weights random(Network network, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<float[]> matrices = new ArrayList<>();
        List<float[]> biases = new ArrayList<>();
        for (Dense layer : network.layers()) {
            float[] matrix = new float[layer.inputs() * layer.outputs()];
            double range = Math.sqrt(6.0 / layer.inputs());
            for (int i = 0; i < matrix.length; i++) {
                matrix[i] = (float) random.nextDouble(-range, range);
            }
            matrices.add(matrix);
            biases.add(new float[layer.outputs()]);
        }
        return new Weights(matrices, biases);
    }

    /** The weights of a block, as they are: no copy. */
    public MemorySegment rows(Dense layer, int index, Block block) {
        long row = (long) layer.inputs() * Float.BYTES;
        return MemorySegment.ofArray(matrices.get(index)).asSlice(block.firstRow() * row, block.rows() * row);
    }
}
