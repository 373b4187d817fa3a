package com.example.embeddings.model;

import com.example.embeddings.steps.BatchShape;
import java.util.Arrays;

/**
 * Runs the graph of one shape. It keeps the memory of inputs and output, so that a run allocates none.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public abstract sealed class Run permits HostRun, DeviceRun {
    final MiniLmGraph graph;
    final int[] ids;
    final int[] lengths;
    final int[] cursor = new int[4];
    final float[] vectors;

    Run(MiniLmGraph graph) {
        this.graph = graph;
        BatchShape batch = graph.batch();
        ids = new int[batch.rows()];
        lengths = new int[batch.sequences()];
        vectors = new float[batch.sequences() * MiniLmGraph.WIDTH];
    }

    /** {@return the tokens that a sequence can have} */
    public int length() {
        return graph.batch().length();
    }

    /** {@return the sequences that a run can have} */
    public int sequences() {
        return lengths.length;
    }

    /**
     * Sets a sequence.
     *
     * @param sequence its number in the batch
     * @param tokens 1 to {@link #length} of them
     */
    public void put(int sequence, int... tokens) {
        int at = sequence * length();
        System.arraycopy(tokens, 0, ids, at, tokens.length);
        Arrays.fill(ids, at + tokens.length, at + length(), 0);
        lengths[sequence] = tokens.length;
    }

    /**
     * Computes the vectors of the first sequences.
     *
     * @param count 1 to {@link #sequences}
     */
    public void run(int count) {
        Arrays.fill(lengths, count, lengths.length, 0);
        cursor[1] = count * length();
        compute();
    }

    abstract void compute();

    /**
     * Copies a vector of the last run.
     *
     * @param sequence its number in the batch
     * @param to receives 384 elements
     */
    public void get(int sequence, float[] to) {
        System.arraycopy(vectors, sequence * MiniLmGraph.WIDTH, to, 0, MiniLmGraph.WIDTH);
    }
}
