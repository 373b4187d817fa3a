package io.devicearena.kernels.packed;

/**
 * Where the elements of a row lie in planes. A row is divided into groups of {@code planes * lanes} elements. Element e
 * of group g is in plane {@code e / lanes}, at {@code g * lanes + e % lanes}.
 *
 * <p>A group has one scale, so a product must be complete for each group before it is scaled. With 8 lanes an unpacked
 * word of 8 bytes goes to one plane.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param planes 2 or 4
 * @param lanes 1 or more
 */
public record PlaneLayout(int planes, int lanes) {
    /** {@return the elements of a group} */
    public int groupElements() {
        return planes * lanes;
    }

    /**
     * Returns the layout of a row of floats, which is one group.
     *
     * @param columns a multiple of 4
     * @return four planes
     */
    public static PlaneLayout ofFloats(int columns) {
        return new PlaneLayout(4, columns / 4);
    }
}
