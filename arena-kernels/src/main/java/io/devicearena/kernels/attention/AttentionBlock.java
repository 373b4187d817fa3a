package io.devicearena.kernels.attention;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.tile.Packing;
import io.devicearena.kernels.tile.Tiles;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What some queries that see the same keys have gathered on the host: sums of weighted values, the largest score, and
 * the sum of the weights exp(score - largest). Keys and values are multiplied in tiles, a block of keys at a time.
 *
 * <p><b>Source:</b> M. Milakov and N. Gimelshein, Online normalizer calculation for softmax, 2018.
 */
final class AttentionBlock {
    /** The keys of a block: what it takes of each stays in the second cache. */
    private static final int KEYS = 128;

    /** Below all scores; what results have that gathered nothing. */
    private static final float NO_SCORE = -3e38f;

    /** Scores further below the largest have no weight. */
    private static final float FURTHEST = 64;

    private final int headDim;
    private final float scale;
    private final Tiles tiles = Tiles.best(false);
    private final Packing queryPacking;
    private final Packing keyPacking;
    private final int[] keyOffsets;
    private final int[][] valueOffsets; // for so many tiles of keys
    private final int width; // of values and sums: a head, to whole tiles
    private final float[] room;
    private final float[] queries; // in tiles
    private final float[] keys; // in tiles
    private final float[] values; // [key][width]
    private final float[] scores; // [query][keys]
    private final float[] weights; // in tiles
    private final float[] products; // of weights and values of a block, [query][width]
    private final float[] sums; // [query][width]
    private final float[] largest;
    private final float[] shrinks; // of what was gathered before a block
    private final float[] totals;
    private int queryCount;
    private int keyCount;

    /** The blocks of each thread, for steps of the same dimensions: such steps run one after the other. */
    private record Kept(Map<List<Number>, List<AttentionBlock>> blocks) {}

    private AttentionBlock(int mostQueries, int headDim, float scale) {
        this.headDim = headDim;
        this.scale = scale;
        this.queryPacking = new Packing(tiles.rows(), headDim);
        this.keyPacking = new Packing(tiles.columns(), headDim);
        this.keyOffsets = keyPacking.offsets();
        this.width = keyPacking.tiles(headDim) * tiles.columns();
        int keyTiles = keyPacking.tiles(KEYS);
        int rows = queryPacking.tiles(mostQueries) * tiles.rows();
        int padded = keyTiles * tiles.columns();
        this.valueOffsets = new int[keyTiles + 1][];
        Arrays.setAll(valueOffsets, count -> new Packing(width, count * tiles.columns()).offsets());
        this.room = new float[headDim];
        this.queries = new float[rows * headDim];
        this.keys = new float[padded * headDim];
        this.values = new float[padded * width];
        this.scores = new float[rows * padded];
        this.weights = new float[rows * padded];
        this.products = new float[rows * width];
        this.sums = new float[rows * width];
        this.largest = new float[rows];
        this.shrinks = new float[rows];
        this.totals = new float[rows];
    }

    /**
     * Returns the memory of threads.
     *
     * @return gives that of another thread at each call
     */
    static Supplier<AttentionBlock> ofThreads(HostValues host, int mostQueries, int headDim, float scale) {
        return host.kept(Kept.class, () -> new Kept(new HashMap<>()))
                .blocks
                .computeIfAbsent(
                        List.of(mostQueries, headDim, scale),
                        any -> Stream.generate(() -> new AttentionBlock(mostQueries, headDim, scale))
                                .limit(host.threads())
                                .toList())
                .iterator()::next;
    }

    /** Begins with queries, the first at an element and each {@code pitch} elements behind the one before. */
    void begin(MemorySegment from, long first, int count, long pitch) {
        queryCount = count;
        queryPacking.packAll(from, first, count, pitch, 1, room, queries, 0);
        Arrays.fill(sums, 0, count * width, 0);
        Arrays.fill(largest, 0, count, NO_SCORE);
        Arrays.fill(totals, 0, count, 0);
        keyCount = 0;
    }

    /** Adds one position; key and value begin at the same element. */
    void add(MemorySegment newKeys, MemorySegment newValues, long element) {
        HostFloats.read(newKeys, element, room);
        int columns = keyPacking.width();
        int to = keyCount / columns * keyPacking.tile() + keyCount % columns;
        for (int c = 0; c < room.length; c++, to += columns) {
            keys[to] = room[c];
        }
        HostFloats.read(newValues, element, values, keyCount * width, headDim);
        keyCount++;
        if (keyCount == KEYS) {
            gather();
        }
    }

    /** Adds what the queries see in the keys and values of a block, which is empty then. */
    private void gather() {
        if (keyCount == 0) {
            return;
        }
        int rows = tiles.rows();
        int columns = tiles.columns();
        int keyTiles = keyPacking.tiles(keyCount);
        int padded = keyTiles * columns;
        Arrays.fill(values, keyCount * width, padded * width, 0);
        for (int q = 0; q < queryCount; q += rows) {
            for (int k = 0; k < padded; k += columns) {
                tiles.multiply(queries, q * headDim, keys, k * headDim, keyOffsets, scores, q * padded + k, padded);
            }
        }
        for (int q = 0; q < queryCount; q++) {
            subtractLargest(q, q * padded);
        }
        exp(scores, queryCount * padded);
        for (int q = 0; q < queryCount; q++) {
            weigh(q, q * padded, padded);
        }
        for (int q = 0; q < queryCount; q += rows) {
            for (int c = 0; c < width; c += columns) {
                tiles.multiply(weights, q * padded, values, c, valueOffsets[keyTiles], products, q * width + c, width);
            }
        }
        for (int q = 0; q < queryCount; q++) {
            addProducts(q * width, shrinks[q]);
        }
        keyCount = 0;
    }

    private void addProducts(int at, float shrink) {
        for (int i = at; i < at + width; i++) {
            sums[i] = sums[i] * shrink + products[i];
        }
    }

    /** Subtracts the largest score of a query from the others; what was gathered with a smaller one shrinks. */
    private void subtractLargest(int query, int at) {
        float most = largest[query];
        for (int k = at; k < at + keyCount; k++) {
            scores[k] *= scale;
            most = Math.max(most, scores[k]);
        }
        for (int k = at; k < at + keyCount; k++) {
            scores[k] -= most;
        }
        shrinks[query] = totals[query] == 0 ? 0 : (float) Math.exp(largest[query] - most);
        largest[query] = most;
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

    /** Puts the weights of a query into their tile; those of keys that are not there are 0. */
    private void weigh(int query, int at, int padded) {
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
        totals[query] = totals[query] * shrinks[query] + even + odd;
        int rows = tiles.rows();
        int to = (query - query % rows) * padded + query % rows;
        for (k = 0; k < padded; k++, to += rows) {
            weights[to] = k < keyCount ? scores[at + k] : 0;
        }
    }

    /** Writes the means of the values that the queries see, in places as those of the queries. */
    void writeMeans(MemorySegment to, long first, long pitch) {
        gather();
        for (int q = 0; q < queryCount; q++) {
            float share = 1 / totals[q];
            for (int i = q * width; i < q * width + headDim; i++) {
                sums[i] *= share;
            }
            HostFloats.write(sums, q * width, headDim, to, first + q * pitch);
        }
    }

    /** Writes the sum, the largest score and the sum of weights of each query. */
    void writePartials(MemorySegment to, long first, long pitch) {
        gather();
        for (int q = 0; q < queryCount; q++) {
            long at = first + q * pitch;
            HostFloats.write(sums, q * width, headDim, to, at);
            HostFloats.set(to, at + headDim, largest[q]);
            HostFloats.set(to, at + headDim + 1, totals[q]);
        }
    }
}
