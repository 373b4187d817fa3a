package io.devicearena.kernels.tile;

import static io.devicearena.kernels.tile.VectorTiles.LANES;
import static io.devicearena.kernels.tile.VectorTiles.broadcast;
import static io.devicearena.kernels.tile.VectorTiles.floats;
import static io.devicearena.kernels.tile.VectorTiles.store;
import static io.devicearena.kernels.tile.VectorTiles.zero;

import jdk.incubator.vector.FloatVector;

/** Tiles of one row and eight vectors, since an addition takes as long as eight can begin in. */
final class VectorRow implements Tiles {
    private VectorRow() {}

    /** See {@link VectorTiles.Compiled}. */
    static final class Compiled {
        static final Tiles TILES = VectorTiles.compiled(new VectorRow());

        private Compiled() {}
    }

    @Override
    public int rows() {
        return 1;
    }

    @Override
    public int columns() {
        return 8 * LANES;
    }

    @Override
    public void multiply(
            float[] left, int leftAt, float[] right, int rightAt, int[] offsets, float[] out, int outAt, int pitch) {
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
}
