package io.devicearena.kernels.linear;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some rows of a matrix, column by column in the heap, and where their products go. */
final class HostPanel {
    /** Long enough for the loop, and four columns and the sums of four tokens stay in the first cache. */
    static final int MOST_ROWS = 768;

    /** The columns of a round: what they take of the panel stays in the second cache. */
    private static final int DEPTH = 64;

    private final int rows;
    private final int outRows;
    private final long first;
    private final float[][] columns;
    private final float[] bias;
    private final @Nullable Activation activation;
    private final @Nullable MemorySegment added;
    private final MemorySegment out;

    private HostPanel(LinearPart part, HostValues host, int tokens, int first, int rows) {
        Matrix matrix = part.matrix();
        this.rows = rows;
        this.outRows = matrix.rows();
        this.first = first;
        this.columns = columns(host, matrix, first, rows);
        this.bias = HostFloats.read(HostFloats.words(host, part.bias(), outRows), first, rows);
        this.activation = part.activation();
        NodeId sum = part.added();
        this.added = sum == null ? null : HostFloats.words(host, sum, (long) tokens * outRows);
        this.out = HostFloats.words(host, part.out(), (long) tokens * outRows);
    }

    /** The panels of a part, as equal as can be. */
    static List<HostPanel> of(LinearPart part, HostValues host, int tokens) {
        int all = part.matrix().rows();
        int count = (all - 1) / MOST_ROWS + 1;
        int rows = ((all / 4 - 1) / count + 1) * 4;
        List<HostPanel> panels = new ArrayList<>();
        for (int first = 0; first < all; first += rows) {
            panels.add(new HostPanel(part, host, tokens, first, Math.min(rows, all - first)));
        }
        return panels;
    }

    private static float[][] columns(HostValues host, Matrix matrix, int first, int rows) {
        MemorySegment bytes = HostFloats.bytes(host, matrix.id(), matrix.bytes());
        float[] row = new float[matrix.columns()];
        float[][] columns = new float[row.length][rows];
        for (int r = 0; r < rows; r++) {
            matrix.decode(bytes, (long) (first + r) * row.length, row.length, row);
            for (int c = 0; c < row.length; c++) {
                columns[c][r] = row[c];
            }
        }
        return columns;
    }

    /** Computes what some tokens have of these rows; {@code x} has their inputs, of a multiple of 4 tokens. */
    void multiply(LinearMemory memory, int firstToken, int tokens) {
        int width = columns.length;
        for (int t = 0; t < tokens; t++) {
            System.arraycopy(bias, 0, memory.sums()[t], 0, rows);
        }
        for (int from = 0; from < width; from += DEPTH) {
            int end = Math.min(width, from + DEPTH);
            for (int t = 0; t < tokens; t += 4) {
                for (int c = from; c < end; c += 4) {
                    PanelLoops.addFourByFour(rows, memory.sums(), t, columns, c, memory.inputs());
                }
            }
        }
        for (int t = 0; t < tokens; t++) {
            finish(memory, firstToken + t, memory.sums()[t]);
        }
    }

    private void finish(LinearMemory memory, int token, float[] sums) {
        long at = (long) token * outRows + first;
        if (activation != null) {
            activation.apply(sums, rows);
        }
        if (added != null) {
            HostFloats.read(added, at, memory.others(), 0, rows);
            BinaryOperation.ADD.apply(sums, memory.others(), sums, rows);
        }
        HostFloats.write(sums, 0, rows, out, at);
    }
}
