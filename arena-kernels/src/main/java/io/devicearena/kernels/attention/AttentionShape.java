package io.devicearena.kernels.attention;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.StepKernel;
import java.util.function.Supplier;

/**
 * The dimensions of an attention with caches of keys and values.
 *
 * <p>A cache is a ring: position p is in row p % {@code cacheRows}. A cache is F32 [cacheRows][kvHeads][headDim]. A
 * query sees its own position and those before it: {@code window} of them, or {@code cacheRows} without a window. A
 * step that writes several rows overwrites the rows of the oldest positions before its queries are answered. So a
 * cache needs {@code window + rows - 1} rows, or as many as the longest sequence has.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> J. Ainslie et al., GQA, 2023 (query heads that share a key head); I. Beltagy et al., Longformer,
 * 2020 (window).
 *
 * @param heads the heads of queries, a multiple of {@code kvHeads}
 * @param kvHeads the heads of keys and values, 1 or more
 * @param headDim the elements of a head, a multiple of 8, at most 256; 64, 128 and 256 are fast
 * @param cacheRows the rows of each cache, 1 to 1,048,576
 * @param window the positions that a query sees, its own too; 0: all in the cache; at most {@code cacheRows}
 * @param scoreScale what the product of query and key is multiplied by, such as 1 / sqrt(headDim)
 */
public record AttentionShape(int heads, int kvHeads, int headDim, int cacheRows, int window, float scoreScale) {
    static final int MOST_POSITIONS = 1 << 20;

    private static final int MOST_HEAD_DIM = 256;

    /** Checks the ranges. */
    public AttentionShape {
        if (kvHeads < 1 || heads < 1 || heads % kvHeads != 0) {
            throw new IllegalArgumentException("attention: expected 1 or more key heads, and query heads that are a"
                    + " multiple of them, got " + kvHeads + " and " + heads);
        }
        checkHeads(headDim, scoreScale);
        if (cacheRows < 1 || cacheRows > MOST_POSITIONS || window < 0 || window > cacheRows) {
            throw new IllegalArgumentException("attention: expected 1 to " + MOST_POSITIONS
                    + " rows of a cache, and a window of 0 to these, got " + cacheRows + " and " + window);
        }
    }

    /** A step of many rows stores them all in a cache before it reads it. */
    void checkRows(int rows) {
        if (rows < 1 || rows > cacheRows) {
            throw new IllegalArgumentException(
                    "rows: expected 1 to " + cacheRows + ", the rows of a cache, got " + rows);
        }
    }

    static void checkHeadDim(int headDim) {
        if (headDim < 8 || headDim > MOST_HEAD_DIM || headDim % 8 != 0) {
            throw new IllegalArgumentException(
                    "headDim: expected a multiple of 8 from 8 to " + MOST_HEAD_DIM + ", got " + headDim);
        }
    }

    /** Checks what all attention has. */
    static void checkHeads(int headDim, float scoreScale) {
        checkHeadDim(headDim);
        if (!Float.isFinite(scoreScale)) {
            throw new IllegalArgumentException("scoreScale: expected a finite number, got " + scoreScale);
        }
    }

    /** The query heads that share a key head. */
    int group() {
        return heads / kvHeads;
    }

    /** How many positions a query sees at most. */
    int reach() {
        return window == 0 ? cacheRows : window;
    }

    /** The first position that a query sees. */
    int firstSeen(int position) {
        return Math.max(0, position + 1 - reach());
    }

    /** The index of the first element of a head in a cache. */
    long inCache(int position, int kvHead) {
        return ((long) Integer.remainderUnsigned(position, cacheRows) * kvHeads + kvHead) * headDim;
    }

    /** The elements of a cache. */
    long cacheElements() {
        return (long) cacheRows * kvHeads * headDim;
    }

    /** The elements of a row of queries. */
    int queryColumns() {
        return heads * headDim;
    }

    /** The elements of a row of keys, and of one of values. */
    int keyColumns() {
        return kvHeads * headDim;
    }

    /** The memory of threads of the host for the queries that share a key head. */
    Supplier<AttentionBlock> blocks(HostValues host) {
        return AttentionBlock.ofThreads(host, group(), headDim, scoreScale);
    }

    /** Sets the dimensions in a kernel, which reads heads in vectors of 4. */
    StepKernel setIn(StepKernel kernel) {
        return kernel.set("KV_HEADS", kvHeads)
                .set("GROUP", group())
                .set("WIDTH", headDim / 4)
                .set("CACHE_ROWS", cacheRows)
                .set("REACH", reach())
                .set("SCALE", scoreScale);
    }
}
