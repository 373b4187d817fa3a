package io.devicearena.kernels.tile;

/**
 * Multiplies a few rows by some columns: the loop that takes the time.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface Tiles {
    /** {@return the rows of a tile} */
    int rows();

    /** {@return the columns of a tile} */
    int columns();

    /**
     * Computes the products of a tile.
     *
     * @param left the rows, interleaved: {@link #rows} elements for each of the depth
     * @param leftAt the index of the first
     * @param right row k of the right operand begins at {@code rightAt + offsets[k]}, and has {@link #columns} elements
     * @param rightAt an index
     * @param offsets one for each of the depth
     * @param out receives the sums; row r at {@code outAt + r pitch}
     * @param outAt the index of the first sum
     * @param pitch from a row of sums to the next
     */
    void multiply(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch);

    /**
     * Returns the fastest tiles of this JVM. The first call takes about 0.2 s, in which the JIT compiles them.
     *
     * @param isOneRow whether there is one row, or several
     * @return those of the Vector API if the JVM runs with {@code --add-modules jdk.incubator.vector}, else plain loops
     */
    static Tiles best(boolean isOneRow) {
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
            return isOneRow ? VectorRow.Compiled.TILES : VectorTiles.Compiled.TILES;
        }
        return isOneRow ? new PlainRow() : new PlainTiles();
    }
}
