package io.devicearena.kernels.packed;

import io.devicearena.kernels.step.HostFloats;
import java.util.Arrays;

/**
 * A row of floats in planes, to be multiplied by rows of weights.
 *
 * <p>It is repeated for the rows of a tile, so that one loop multiplies all of them: a longer loop spends less of its
 * time before and after the vector instructions.
 *
 * <p><b>Threads:</b> one thread at a time; any number of threads may multiply by it.
 */
public final class PlaneVector {
    private final float[][] planes = new float[4][0];
    private float[] groupSums = {};

    /**
     * Takes a row.
     *
     * @param row the floats
     * @param columns how many, a multiple of the group
     * @param layout of the weights that it is multiplied by
     * @param copies how often it is repeated, 1 or more
     */
    public void set(float[] row, int columns, PlaneLayout layout, int copies) {
        int width = columns / layout.planes();
        int lanes = layout.lanes();
        int groups = columns / layout.groupElements();
        groupSums = HostFloats.grown(groupSums, groups);
        Arrays.fill(groupSums, 0, groups, 0);
        for (int p = 0; p < layout.planes(); p++) {
            planes[p] = HostFloats.grown(planes[p], copies * width);
            float[] plane = planes[p];
            for (int g = 0; g < groups; g++) {
                int from = g * layout.groupElements() + p * lanes;
                System.arraycopy(row, from, plane, g * lanes, lanes);
                for (int l = 0; l < lanes; l++) {
                    groupSums[g] += row[from + l];
                }
            }
            for (int copy = 1; copy < copies; copy++) {
                System.arraycopy(plane, 0, plane, copy * width, width);
            }
        }
    }

    float[][] planes() {
        return planes;
    }

    /** The sum of the elements of each group: what a minimum of the weights is multiplied by. */
    float[] groupSums() {
        return groupSums;
    }
}
