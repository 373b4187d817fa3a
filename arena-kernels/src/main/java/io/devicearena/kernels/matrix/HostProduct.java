package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.activation.Activation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes what {@link ProductKernel} records, on the host. */
final class HostProduct {
    /** Rows of a task: enough to make its start cheap, few enough to share out evenly. */
    private static final int ROWS = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final RowInput input;
    private final List<ProductPart> parts;
    private final @Nullable Activation activation;

    HostProduct(ProductKernel kernel) {
        this.input = kernel.input();
        this.parts = kernel.parts();
        this.activation = kernel.activation();
    }

    void compute(HostValues host) {
        NodeId cursor = input.cursor();
        int count = cursor == null ? input.tokens() : valid(host, cursor);
        int tokens = input.isLastOnly() ? 1 : count;
        float[][] x = new float[tokens][input.columns()];
        if (input.isLastOnly()) {
            input.stage(host, count - 1, x[0]);
        } else {
            host.parallel(tokens, t -> input.stage(host, t, x[t]));
        }
        if (activation != null) {
            int rows = parts.getFirst().matrix().rows();
            host.parallel((rows - 1) / ROWS + 1, task -> gated(host, activation, task * ROWS, x));
        } else {
            int[] firstTask = new int[parts.size() + 1];
            for (int i = 0; i < parts.size(); i++) {
                firstTask[i + 1] = firstTask[i] + (parts.get(i).matrix().rows() - 1) / ROWS + 1;
            }
            host.parallel(firstTask[parts.size()], task -> {
                int i = 0;
                while (task >= firstTask[i + 1]) {
                    i++;
                }
                plain(host, parts.get(i), (task - firstTask[i]) * ROWS, x);
            });
        }
    }

    private int valid(HostValues host, NodeId cursor) {
        int count = host.bytes(cursor).get(INT, 4);
        if (count < 1 || count > input.tokens()) {
            throw new IllegalArgumentException(
                    "cursor " + cursor + ": expected a count of 1 to " + input.tokens() + ", got " + count);
        }
        return count;
    }

    private static void plain(HostValues host, ProductPart part, int first, float[][] x) {
        Matrix matrix = part.matrix();
        MemorySegment bytes = host.bytes(matrix.id());
        MemorySegment out = host.bytes(part.out());
        RowDot dot = new RowDot(matrix);
        for (int row = first; row < Math.min(first + ROWS, matrix.rows()); row++) {
            dot.load(bytes, row);
            for (int t = 0; t < x.length; t++) {
                long at = (long) t * part.outColumns() + part.firstColumn() + row;
                out.set(WeightRows.FLOAT, 4 * at, dot.with(x[t]));
            }
        }
    }

    private void gated(HostValues host, Activation function, int first, float[][] x) {
        ProductPart gate = parts.getFirst();
        Matrix up = parts.getLast().matrix();
        MemorySegment gates = host.bytes(gate.matrix().id());
        MemorySegment ups = host.bytes(up.id());
        MemorySegment out = host.bytes(gate.out());
        RowDot gateDot = new RowDot(gate.matrix());
        RowDot upDot = new RowDot(up);
        for (int row = first; row < Math.min(first + ROWS, up.rows()); row++) {
            gateDot.load(gates, row);
            upDot.load(ups, row);
            for (int t = 0; t < x.length; t++) {
                long at = (long) t * gate.outColumns() + gate.firstColumn() + row;
                out.set(WeightRows.FLOAT, 4 * at, function.apply(gateDot.with(x[t])) * upDot.with(x[t]));
            }
        }
    }

    /** Products of rows of a matrix with tokens: a row is unpacked once. One thread at a time. */
    private static final class RowDot {
        private final Matrix matrix;
        private final float[] row;

        RowDot(Matrix matrix) {
            this.matrix = matrix;
            this.row = new float[matrix.columns()];
        }

        /** Takes a row. */
        void load(MemorySegment bytes, int index) {
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
}
