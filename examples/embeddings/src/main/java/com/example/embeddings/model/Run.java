package com.example.embeddings.model;

import com.example.embeddings.steps.BatchShape;
import io.devicearena.kernel.StepTime;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the graph of one shape. It keeps the memory of inputs and output, so that a run allocates none.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public abstract sealed class Run permits HostRun, DeviceRun {
    final MiniLmGraph graph;
    final int[] ids;
    final int[] spans;
    final int[] ranges;
    final int[] cursor = new int[4];
    final float[] vectors;
    private int rows;
    private int count;

    Run(MiniLmGraph graph) {
        this.graph = graph;
        BatchShape batch = graph.batch();
        ids = new int[batch.rows()];
        spans = new int[2 * batch.rows()];
        ranges = new int[2 * batch.sequences()];
        vectors = new float[batch.sequences() * MiniLmGraph.WIDTH];
    }

    /** Begins a batch without sequences. */
    public void begin() {
        rows = 0;
        count = 0;
    }

    /**
     * Adds a sequence to the batch.
     *
     * @param tokens 1 or more; together with those before at most the rows of the shape
     */
    public void add(int... tokens) {
        int end = rows + tokens.length;
        System.arraycopy(tokens, 0, ids, rows, tokens.length);
        for (int row = rows; row < end; row++) {
            spans[2 * row] = rows;
            spans[2 * row + 1] = end;
        }
        ranges[2 * count] = rows;
        ranges[2 * count + 1] = end;
        rows = end;
        count++;
    }

    /** Computes the vectors of the sequences of the batch. */
    public void run() {
        Arrays.fill(ranges, 2 * count, ranges.length, 0);
        cursor[1] = rows;
        compute();
    }

    abstract void compute();

    /**
     * Measures the steps once more, with the inputs of the last run.
     *
     * @return the time of each dispatch; empty on the host
     * @throws UnsupportedOperationException if the device has no timestamps
     */
    public abstract List<StepTime> times();

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
