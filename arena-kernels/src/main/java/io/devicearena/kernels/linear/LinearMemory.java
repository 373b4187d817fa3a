package io.devicearena.kernels.linear;

import io.devicearena.kernels.step.HostFloats;
import java.util.Arrays;

/** What a thread needs to compute: the inputs of some tokens, and sums for each. */
final class LinearMemory {
    /** The most tokens of a task, a multiple of 4. */
    static final int MOST_TOKENS = 32;

    private final float[][] sums = new float[MOST_TOKENS][HostPanel.MOST_ROWS];
    private final float[] others = new float[HostPanel.MOST_ROWS];
    private float[] inputs = {};

    static LinearMemory[] ofThreads(int threads) {
        LinearMemory[] all = new LinearMemory[threads];
        Arrays.setAll(all, i -> new LinearMemory());
        return all;
    }

    /** Makes room for the inputs of a step. */
    void require(int columns) {
        inputs = HostFloats.grown(inputs, MOST_TOKENS * columns);
    }

    float[] inputs() {
        return inputs;
    }

    /** The sums of each token. */
    float[][] sums() {
        return sums;
    }

    /** Memory for one row of sums. */
    float[] others() {
        return others;
    }
}
