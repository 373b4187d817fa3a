package io.devicearena.kernels.tile;

/**
 * Multiplies a few rows by some columns: the loop that takes the time.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface Tiles {
    /**
     * The rows of a tile: ten sums of a vector each leave registers for two vectors of the right operand and one of the
     * left. With twelve sums HotSpot spills, and takes twice the time.
     */
    int ROWS = 5;

    /** {@return the columns of a tile} */
    int columns();

    /**
     * Computes the products of a tile of {@link #ROWS} rows.
     *
     * @param left the rows, interleaved: {@link #ROWS} elements for each of the depth
     * @param leftAt the index of the first
     * @param right row k of the right operand begins at {@code rightAt + offsets[k]}, and has {@link #columns} elements
     * @param rightAt an index
     * @param offsets one for each of the depth
     * @param out receives the sums; row r at {@code outAt + r pitch}
     * @param outAt the index of the first sum
     * @param pitch from a row of sums to the next
     */
    void rows(float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch);

    /**
     * Computes the products of one row with columns that follow each other.
     *
     * @param left the row
     * @param leftAt the index of its first element
     * @param right as for {@link #rows}
     * @param rightAt as for {@link #rows}
     * @param offsets as for {@link #rows}
     * @param out receives the sums
     * @param outAt the index of the first sum
     * @param count a multiple of {@link #columns}
     */
    void row(float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int count);

    /**
     * Returns the fastest tiles of this JVM. The first call takes about 0.2 s, in which the JIT compiles them.
     *
     * @return those of the Vector API if the JVM runs with {@code --add-modules jdk.incubator.vector}, else plain loops
     */
    static Tiles best() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()
                ? VectorTiles.COMPILED
                : PlainTiles.TILES;
    }
}
