package io.devicearena.kernels.packed;

import java.util.Arrays;

/**
 * Rows of many tokens as columns: element c of all tokens is one array. A row of weights is multiplied by all of them
 * in one pass, four columns at a time.
 *
 * <p><b>Threads:</b> one thread at a time may size it; then threads may set different tokens, and then any number of
 * threads may multiply: <i>one thread at a time</i> for each of the three.
 */
public final class TokenColumns {
    private float[][] columns = {};

    /**
     * Makes room.
     *
     * @param count of columns
     * @param tokens the length of each
     */
    public void require(int count, int tokens) {
        if (columns.length < count) {
            columns = Arrays.copyOf(columns, count);
        }
        for (int c = 0; c < count; c++) {
            if (columns[c] == null || columns[c].length < tokens) {
                columns[c] = new float[tokens];
            }
        }
    }

    /**
     * Sets the row of a token.
     *
     * @param row the floats
     * @param token its number
     * @param elements of the row
     */
    public void set(float[] row, int token, int elements) {
        for (int c = 0; c < elements; c++) {
            columns[c][token] = row[c];
        }
    }

    /**
     * Multiplies all tokens by a row of weights.
     *
     * @param row the weights
     * @param elements of the row, a multiple of 4
     * @param tokens how many
     * @param sums receives a product for each token
     */
    public void multiply(float[] row, int elements, int tokens, float[] sums) {
        Arrays.fill(sums, 0, tokens, 0);
        for (int c = 0; c < elements; c += 4) {
            PlaneLoops.addColumns(tokens, sums, columns, row, c);
        }
    }
}
