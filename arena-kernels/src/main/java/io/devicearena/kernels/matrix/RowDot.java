package io.devicearena.kernels.matrix;

import java.lang.foreign.MemorySegment;

/** Products of rows of a matrix with tokens: a row is unpacked once. One thread at a time. */
final class RowDot {
    private final Matrix matrix;
    private final float[] row;

    RowDot(Matrix matrix) {
        this.matrix = matrix;
        this.row = new float[matrix.columns()];
    }

    /** Takes a row, for some tokens. */
    void load(MemorySegment bytes, int index, int tokens) {
        long offset = index * matrix.format().rowBytes(matrix.columns());
        WeightRows.unpack(matrix.format(), bytes, offset, matrix.columns(), row, 0);
    }

    /** Eight sums, so that additions need not wait for each other; the columns are a multiple of 8. */
    float with(float[] x) {
        float s0 = 0;
        float s1 = 0;
        float s2 = 0;
        float s3 = 0;
        float s4 = 0;
        float s5 = 0;
        float s6 = 0;
        float s7 = 0;
        for (int c = 0; c < row.length; c += 8) {
            s0 += row[c] * x[c];
            s1 += row[c + 1] * x[c + 1];
            s2 += row[c + 2] * x[c + 2];
            s3 += row[c + 3] * x[c + 3];
            s4 += row[c + 4] * x[c + 4];
            s5 += row[c + 5] * x[c + 5];
            s6 += row[c + 6] * x[c + 6];
            s7 += row[c + 7] * x[c + 7];
        }
        return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
    }
}
