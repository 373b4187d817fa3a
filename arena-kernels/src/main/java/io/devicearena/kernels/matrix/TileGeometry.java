package io.devicearena.kernels.matrix;

import io.devicearena.kernels.step.StepKernel;
import java.util.List;

/**
 * How a product of many tokens is cut into squares, one for each workgroup.
 *
 * @param side rows and tokens of a square: 32, 64, or 128 for large products
 * @param teams of threads that share the columns
 */
record TileGeometry(int side, int teams) {
    private static final int LARGE = 128;

    private static final int MEDIUM = 64;
    private static final int SMALL = 32;

    /** Products with few squares have few workgroups: each gets more threads, which share the columns. */
    private static final int MOST_TEAMS = 4;

    /** The input and the weights of a small square for all teams, and the scales of its tokens. */
    private static final int SMALL_BYTES = MOST_TEAMS * 2 * 16 * SMALL * 4 + 2 * SMALL * 4 + 256 * 4;

    /** The input and the weights of a large square, and the scales of its tokens. */
    private static final int LARGE_BYTES = 2 * 16 * LARGE * 4 + 2 * LARGE * 4 + 256 * 4;

    /** Workgroups that keep a large device busy. */
    private static final long BUSY_GROUPS = 128;

    static TileGeometry of(List<ProductPart> parts, int tokens, int memory, boolean gated) {
        if (!gated && memory >= LARGE_BYTES && groups(parts, tokens, LARGE) >= BUSY_GROUPS) {
            return new TileGeometry(LARGE, 1);
        }
        if (groups(parts, tokens, MEDIUM) >= BUSY_GROUPS) {
            return new TileGeometry(MEDIUM, 1);
        }
        return new TileGeometry(SMALL, memory >= SMALL_BYTES ? MOST_TEAMS : MOST_TEAMS / 2);
    }

    private static long groups(List<ProductPart> parts, int tokens, int side) {
        long rows = parts.stream()
                .mapToLong(part -> (part.matrix().rows() - 1) / side + 1)
                .sum();
        return rows * ((tokens - 1) / side + 1);
    }

    private boolean isLarge() {
        return side == LARGE;
    }

    void setIn(StepKernel kernel, int tokens) {
        int threads = isLarge() ? side / 8 : side / 4;
        kernel.use("SHAPE", "matrix/tile")
                .use("MATRIX", isLarge() ? "matrix/tile-large-of-matrix" : "matrix/tile-small-of-matrix")
                .set("SIDE", threads)
                .set("TILE", side)
                .set("TEAMS", teams)
                .set("THREADS", (long) teams * threads * threads)
                .set("TOKENS", tokens)
                .set("PER_THREAD", isLarge() ? 16 : 4);
    }
}
