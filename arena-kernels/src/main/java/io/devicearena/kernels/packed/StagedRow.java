package io.devicearena.kernels.packed;

import io.devicearena.kernels.step.HostFloats;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of a token before it is multiplied, memory to make it in, and the row in each layout of the weights.
 *
 * <p><b>Threads:</b> one thread at a time; any number of threads may multiply by it.
 */
public final class StagedRow {
    private float[] row = {};
    private float[] spare = {};
    private final List<PlaneVector> vectors = new ArrayList<>();

    /**
     * Returns the row.
     *
     * @param size the fewest elements
     * @return the floats: those that were written last, if they were as many
     */
    public float[] row(int size) {
        row = HostFloats.grown(row, size);
        return row;
    }

    /**
     * Returns memory to make the row in.
     *
     * @param size the fewest elements
     * @return the floats, which hold anything
     */
    public float[] spare(int size) {
        spare = HostFloats.grown(spare, size);
        return spare;
    }

    /**
     * Puts the row in planes.
     *
     * @param index the number of the layout among those of the step
     * @param columns the elements of the row
     * @param layout of the weights
     * @param copies how often the row is repeated
     */
    public void spread(int index, int columns, PlaneLayout layout, int copies) {
        while (vectors.size() <= index) {
            vectors.add(new PlaneVector());
        }
        vectors.get(index).set(row, columns, layout, copies);
    }

    /**
     * Returns the row in planes.
     *
     * @param index the number of the layout
     * @return what {@link #spread} made
     */
    public PlaneVector vector(int index) {
        return vectors.get(index);
    }
}
