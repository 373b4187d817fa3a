package io.devicearena.kernels.tile;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tiles by the Vector API of the JDK, two vectors wide: ten sums of a vector each leave registers for two vectors of
 * the right operand and one of the left. With twelve sums HotSpot spills, and takes twice the time. Only {@link
 * Tiles#best} may name this class: it cannot be loaded where the module is not there.
 */
final class VectorTiles implements Tiles {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    static final int LANES = FLOATS.length();

    private static final int ROWS = 5;

    /** Of the warm-up: enough that the JIT has compiled the loops, and so short that it does so at once. */
    private static final int ROUNDS = 20_000;

    private VectorTiles() {}

    /** Compiled beside the class: what is compiled while a class starts is not used afterwards. */
    static final class Compiled {
        static final Tiles TILES = compiled(new VectorTiles());

        private Compiled() {}
    }

    /** Multiplies zeros. Before the loops are compiled, vectors are objects, and a tile takes a millisecond. */
    static Tiles compiled(Tiles tiles) {
        float[] operand = new float[4 * tiles.rows() + tiles.columns()];
        float[] out = new float[tiles.rows() * tiles.columns()];
        int[][] depths = {new int[1], new int[4]};
        for (int i = 0; i < ROUNDS; i++) {
            tiles.multiply(operand, 0, operand, 0, depths[i % 2], out, 0, tiles.columns());
        }
        return tiles;
    }

    @Override
    public int rows() {
        return ROWS;
    }

    @Override
    public int columns() {
        return 2 * LANES;
    }

    @Override
    public void multiply(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch) {
        FloatVector a = zero();
        FloatVector b = zero();
        FloatVector c = zero();
        FloatVector d = zero();
        FloatVector e = zero();
        FloatVector a2 = zero();
        FloatVector b2 = zero();
        FloatVector c2 = zero();
        FloatVector d2 = zero();
        FloatVector e2 = zero();
        int i = leftAt;
        for (int offset : offsets) {
            FloatVector x = floats(right, rightAt + offset);
            FloatVector y = floats(right, rightAt + offset + LANES);
            FloatVector w = broadcast(left[i]);
            a = w.fma(x, a);
            a2 = w.fma(y, a2);
            w = broadcast(left[i + 1]);
            b = w.fma(x, b);
            b2 = w.fma(y, b2);
            w = broadcast(left[i + 2]);
            c = w.fma(x, c);
            c2 = w.fma(y, c2);
            w = broadcast(left[i + 3]);
            d = w.fma(x, d);
            d2 = w.fma(y, d2);
            w = broadcast(left[i + 4]);
            e = w.fma(x, e);
            e2 = w.fma(y, e2);
            i += ROWS;
        }
        store(a, a2, out, outAt);
        store(b, b2, out, outAt + pitch);
        store(c, c2, out, outAt + 2 * pitch);
        store(d, d2, out, outAt + 3 * pitch);
        store(e, e2, out, outAt + 4 * pitch);
    }

    static void store(FloatVector first, FloatVector second, float[] out, int at) {
        first.intoArray(out, at);
        second.intoArray(out, at + LANES);
    }

    static FloatVector zero() {
        return FloatVector.zero(FLOATS);
    }

    static FloatVector broadcast(float value) {
        return FloatVector.broadcast(FLOATS, value);
    }

    static FloatVector floats(float[] values, int at) {
        return FloatVector.fromArray(FLOATS, values, at);
    }
}
