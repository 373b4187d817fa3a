package io.devicearena.kernels.attention;

import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.tile.Packing;
import io.devicearena.kernels.tile.Tiles;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The attention of a head for some rows that see the same keys, on the host: the products of queries and keys, and of
 * weights and values, in tiles.
 */
final class AttentionBlock {
    /** The most queries. */
    static final int QUERIES = 32;

    /** Scores further below the largest have no weight. */
    private static final float FURTHEST = 64;

    private final int headDim;
    private final float scale;
    private final Tiles tiles = Tiles.best(false);
    private final Packing queryPacking;
    private final Packing keyPacking;
    private final int[] keyOffsets;
    private final int width; // of values and sums: a head, to whole tiles
    private final float[] room;
    private final float[] queries; // in tiles
    private final float[] sums; // [query][width]
    private float[] keys = {}; // in tiles
    private float[] values = {}; // [key][width]
    private float[] scores = {}; // [query][keys]
    private float[] weights = {}; // in tiles
    private int[][] valueOffsets = {}; // of so many tiles of keys
    private int queryCount;
    private int keyCount;

    AttentionBlock(int headDim, float scale) {
        this.headDim = headDim;
        this.scale = scale;
        this.queryPacking = new Packing(tiles.rows(), headDim);
        this.keyPacking = new Packing(tiles.columns(), headDim);
        this.keyOffsets = keyPacking.offsets();
        this.width = keyPacking.tiles(headDim) * tiles.columns();
        this.room = new float[headDim];
        this.queries = new float[queryPacking.tiles(QUERIES) * queryPacking.tile()];
        this.sums = new float[queryRows() * width];
    }

    private int queryRows() {
        return queryPacking.tiles(QUERIES) * tiles.rows();
    }

    /** Takes queries, the first at an element and each {@code pitch} elements behind the one before. */
    void setQueries(MemorySegment from, long first, int count, long pitch) {
        queryCount = count;
        queryPacking.packAll(from, first, count, pitch, 1, room, queries, 0);
    }

    /** Takes the keys and values that the queries see, in the same way. */
    void setKeys(MemorySegment newKeys, MemorySegment newValues, long first, int count, long pitch) {
        keyCount = count;
        int keyTiles = keyPacking.tiles(count);
        int padded = padded();
        if (scores.length < queryRows() * padded) {
            keys = new float[keyTiles * keyPacking.tile()];
            values = new float[padded * width];
            scores = new float[queryRows() * padded];
            weights = new float[queryRows() * padded];
            valueOffsets = Arrays.copyOf(valueOffsets, keyTiles + 1);
        }
        if (valueOffsets[keyTiles] == null) {
            valueOffsets[keyTiles] = new Packing(width, padded).offsets();
        }
        keyPacking.packAll(newKeys, first, count, pitch, 1, room, keys, 0);
        for (int k = 0; k < count; k++) {
            HostFloats.read(newValues, first + k * pitch, values, k * width, headDim);
        }
        Arrays.fill(values, count * width, padded * width, 0);
    }

    /** The keys, to whole tiles. */
    private int padded() {
        return keyPacking.tiles(keyCount) * tiles.columns();
    }

    /** Writes the result of a query. */
    void write(int query, MemorySegment to, long first) {
        HostFloats.write(sums, query * width, headDim, to, first);
    }

    void compute() {
        int padded = padded();
        int rows = tiles.rows();
        int columns = tiles.columns();
        for (int q = 0; q < queryCount; q += rows) {
            for (int k = 0; k < padded; k += columns) {
                tiles.multiply(queries, q * headDim, keys, k * headDim, keyOffsets, scores, q * padded + k, padded);
            }
        }
        for (int q = 0; q < queryCount; q++) {
            subtractLargest(q * padded);
        }
        exp(scores, queryCount * padded);
        for (int q = 0; q < queryCount; q++) {
            normalize(q * padded, (q - q % rows) * padded + q % rows);
        }
        int[] offsets = valueOffsets[padded / columns];
        for (int q = 0; q < queryCount; q += rows) {
            for (int c = 0; c < width; c += columns) {
                tiles.multiply(weights, q * padded, values, c, offsets, sums, q * width + c, width);
            }
        }
    }

    private void subtractLargest(int at) {
        float largest = scores[at] * scale;
        for (int k = at; k < at + keyCount; k++) {
            scores[k] *= scale;
            largest = Math.max(largest, scores[k]);
        }
        for (int k = at; k < at + keyCount; k++) {
            scores[k] -= largest;
        }
    }

    /**
     * The exponential function of floats that are 0 or less, within 2e-7, in a loop that HotSpot vectorises: exp(x) is
     * (1 + e)^64 for e = exp(x / 64) - 1, which a Taylor series of degree 5 gives; squaring keeps e, as 1 + e would be
     * rounded.
     */
    static void exp(float[] x, int count) {
        for (int i = 0; i < count; i++) {
            float r = Math.max(x[i], -FURTHEST) * (1 / FURTHEST);
            float series = Math.fma(r, Math.fma(r, Math.fma(r, Math.fma(r, 1 / 120f, 1 / 24f), 1 / 6f), 1 / 2f), 1);
            float e = r * series;
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            e = Math.fma(e, e, e + e);
            x[i] = 1 + Math.fma(e, e, e + e);
        }
    }

    /** Makes weights of a query that add up to 1, in their tile; those of keys that are not there are 0. */
    private void normalize(int at, int weight) {
        float even = 0;
        float odd = 0;
        int k = at;
        for (; k + 2 <= at + keyCount; k += 2) {
            even += scores[k];
            odd += scores[k + 1];
        }
        if (k < at + keyCount) {
            even += scores[k];
        }
        float share = 1 / (even + odd);
        int to = weight;
        for (k = 0; k < padded(); k++, to += tiles.rows()) {
            weights[to] = k < keyCount ? scores[at + k] * share : 0;
        }
    }
}
