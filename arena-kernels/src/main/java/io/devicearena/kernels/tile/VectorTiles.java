package io.devicearena.kernels.tile;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Tiles by the Vector API of the JDK, two vectors wide. Only {@link Tiles#best} may name this class: it cannot be
 * loaded where the module is not there.
 */
final class VectorTiles implements Tiles {
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = FLOATS.length();

    /** Of the warm-up: enough that the JIT has compiled the loops, and so short that it does so at once. */
    private static final int ROUNDS = 20_000;

    static final Tiles COMPILED = compiled();

    private VectorTiles() {}

    /** Multiplies zeros. Before the loops are compiled, vectors are objects, and a tile takes a millisecond. */
    private static Tiles compiled() {
        Tiles tiles = new VectorTiles();
        float[] operand = new float[4 * ROWS + 10 * LANES];
        float[] out = new float[ROWS * 2 * LANES];
        int[][] depths = {new int[1], new int[4]};
        for (int i = 0; i < ROUNDS; i++) {
            int[] offsets = depths[i % 2];
            tiles.rows(operand, 0, operand, 0, offsets, out, 0, 2 * LANES);
            tiles.row(operand, 0, operand, 0, offsets, out, 0, 10 * LANES);
        }
        return tiles;
    }

    @Override
    public int columns() {
        return 2 * LANES;
    }

    @Override
    public void rows(
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

    @Override
    public void row(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int count) {
        int p = 0;
        for (; p + 8 * LANES <= count; p += 8 * LANES) {
            eight(left, leftAt, right, rightAt + p, offsets, out, outAt + p);
        }
        for (; p < count; p += 2 * LANES) {
            two(left, leftAt, right, rightAt + p, offsets, out, outAt + p);
        }
    }

    private static void two(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt) {
        FloatVector a = zero();
        FloatVector a2 = zero();
        int i = leftAt;
        for (int offset : offsets) {
            FloatVector w = broadcast(left[i]);
            a = w.fma(floats(right, rightAt + offset), a);
            a2 = w.fma(floats(right, rightAt + offset + LANES), a2);
            i++;
        }
        store(a, a2, out, outAt);
    }

    /** Eight sums at a time, since an addition takes as long as eight can begin in. */
    private static void eight(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt) {
        FloatVector a = zero();
        FloatVector a2 = zero();
        FloatVector b = zero();
        FloatVector b2 = zero();
        FloatVector c = zero();
        FloatVector c2 = zero();
        FloatVector d = zero();
        FloatVector d2 = zero();
        int i = leftAt;
        for (int offset : offsets) {
            FloatVector w = broadcast(left[i]);
            int at = rightAt + offset;
            a = w.fma(floats(right, at), a);
            a2 = w.fma(floats(right, at + LANES), a2);
            b = w.fma(floats(right, at + 2 * LANES), b);
            b2 = w.fma(floats(right, at + 3 * LANES), b2);
            c = w.fma(floats(right, at + 4 * LANES), c);
            c2 = w.fma(floats(right, at + 5 * LANES), c2);
            d = w.fma(floats(right, at + 6 * LANES), d);
            d2 = w.fma(floats(right, at + 7 * LANES), d2);
            i++;
        }
        store(a, a2, out, outAt);
        store(b, b2, out, outAt + 2 * LANES);
        store(c, c2, out, outAt + 4 * LANES);
        store(d, d2, out, outAt + 6 * LANES);
    }

    private static void store(FloatVector first, FloatVector second, float[] out, int at) {
        first.intoArray(out, at);
        second.intoArray(out, at + LANES);
    }

    private static FloatVector zero() {
        return FloatVector.zero(FLOATS);
    }

    private static FloatVector broadcast(float value) {
        return FloatVector.broadcast(FLOATS, value);
    }

    private static FloatVector floats(float[] values, int at) {
        return FloatVector.fromArray(FLOATS, values, at);
    }
}
