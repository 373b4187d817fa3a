package io.devicearena.kernels.packed;

import io.devicearena.kernels.step.HostFloats;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a matrix of weights, unpacked for products: packed rows to signed bytes with a scale for each group, a
 * row of floats as it is. Its memory is kept for the next rows.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class RowTile {
    private byte[] packed = {};
    private final byte[][] quants = new byte[4][0];
    private final float[][] floats = new float[4][0];
    private float[] scales = {};
    private float[] minima = {};
    private float[] sums = {};
    private @Nullable TensorType type;
    private int rows;
    private int columns;

    /**
     * Loads packed rows.
     *
     * @param packing their type
     * @param bytes the matrix
     * @param offset where the first row begins: bytes from the start of {@code bytes}
     * @param count of rows, 1 or more
     * @param elements of a row, a multiple of the type's block
     */
    public void load(TensorType packing, MemorySegment bytes, long offset, int count, int elements) {
        type = packing;
        rows = count;
        columns = elements;
        int blocks = count * elements / packing.blockElements();
        int length = blocks * packing.blockBytes();
        int groups = count * elements / BlockPlanes.groupElements(packing);
        if (packed.length < length) {
            packed = new byte[length];
        }
        for (int p = 0; p < BlockPlanes.layout(packing).planes(); p++) {
            if (quants[p].length < 8 * groups) {
                quants[p] = new byte[8 * groups];
            }
        }
        scales = HostFloats.grown(scales, groups);
        minima = HostFloats.grown(minima, BlockPlanes.hasMinima(packing) ? groups : 0);
        sums = HostFloats.grown(sums, 8 * groups);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, offset, packed, 0, length);
        BlockPlanes.unpack(packing, packed, blocks, this);
    }

    /**
     * Takes one row of floats, whose planes the caller writes next.
     *
     * @param elements of the row, a multiple of 4
     * @return four planes of a fourth of the elements or more, in the order of the row
     */
    public float[][] loadFloats(int elements) {
        type = null;
        rows = 1;
        columns = elements;
        for (int p = 0; p < 4; p++) {
            floats[p] = HostFloats.grown(floats[p], elements / 4);
        }
        sums = HostFloats.grown(sums, elements / 4);
        return floats;
    }

    /**
     * Multiplies each row by a vector.
     *
     * @param x in the layout of the rows, repeated as often as there are rows or more often
     * @param out receives a product for each row
     */
    public void multiply(PlaneVector x, float[] out) {
        if (type == null) {
            PlaneLoops.multiply(columns / 4, floats, x.planes(), sums);
            out[0] = PlaneLoops.total(sums, columns / 4);
            return;
        }
        int groups = columns / BlockPlanes.groupElements(type);
        if (BlockPlanes.groupElements(type) == 32) {
            PlaneLoops.multiply(8 * groups * rows, quants, x.planes(), sums);
        } else {
            PlaneLoops.multiplyTwo(8 * groups * rows, quants, x.planes(), sums);
        }
        for (int r = 0; r < rows; r++) {
            out[r] = PlaneLoops.scaled(sums, scales, r * groups, (r + 1) * groups);
        }
        if (BlockPlanes.hasMinima(type)) {
            subtractMinima(x.groupSums(), groups, out);
        }
    }

    private void subtractMinima(float[] groupSums, int groups, float[] out) {
        for (int r = 0; r < rows; r++) {
            float taken = 0;
            for (int g = 0; g < groups; g++) {
                taken += minima[r * groups + g] * groupSums[g];
            }
            out[r] -= taken;
        }
    }

    /**
     * Copies a row out as floats: each element is the f32 that the type's definition gives.
     *
     * @param row its number in the tile
     * @param to receives the elements in the order of the row
     */
    public void copyRow(int row, float[] to) {
        if (type == null) {
            for (int p = 0; p < 4; p++) {
                System.arraycopy(floats[p], 0, to, p * (columns / 4), columns / 4);
            }
            return;
        }
        int group = BlockPlanes.groupElements(type);
        int groups = columns / group;
        for (int g = 0; g < groups; g++) {
            int from = row * groups + g;
            float scale = scales[from];
            float minimum = BlockPlanes.hasMinima(type) ? minima[from] : 0;
            for (int p = 0; p < group / 8; p++) {
                byte[] plane = quants[p];
                for (int l = 0; l < 8; l++) {
                    to[g * group + 8 * p + l] = scale * plane[8 * from + l] - minimum;
                }
            }
        }
    }

    byte[] quants(int plane) {
        return quants[plane];
    }

    float[] scales() {
        return scales;
    }

    float[] minima() {
        return minima;
    }
}
