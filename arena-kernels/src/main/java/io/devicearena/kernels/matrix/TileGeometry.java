package io.devicearena.kernels.matrix;

import io.devicearena.kernels.step.StepKernel;
import java.util.List;

/**
 * How a product of many tokens is cut into squares, one for each workgroup.
 *
 * @param side rows and tokens of a square: 64, or 128 for large products
 * @param teams of threads that share the columns
 */
record TileGeometry(int side, int teams) {
    private static final int LARGE = 128;
    private static final int SMALL = 64;

    /** Threads of a team along each side: each has 8 by 8 elements of a large square, 4 by 4 of a small one. */
    private static final int SIDE_THREADS = 16;

    /** Small squares are few. */
    private static final int SMALL_TEAMS = 2;

    /** Workgroups that keep a large device busy. */
    private static final long BUSY_GROUPS = 128;

    static TileGeometry of(List<ProductPart> parts, int tokens, int memory, boolean gated) {
        TileGeometry large = new TileGeometry(LARGE, 1);
        TileGeometry small = new TileGeometry(SMALL, SMALL_TEAMS);
        if (!gated && memory >= large.memoryBytes() && largeSquares(parts, tokens) >= BUSY_GROUPS) {
            return large;
        }
        return memory >= small.memoryBytes() ? small : new TileGeometry(SMALL, 1);
    }

    private static long largeSquares(List<ProductPart> parts, int tokens) {
        long rows = parts.stream()
                .mapToLong(part -> (part.matrix().rows() - 1) / LARGE + 1)
                .sum();
        return rows * ((tokens - 1) / LARGE + 1);
    }

    private boolean isLarge() {
        return side == LARGE;
    }

    private int threads() {
        return teams * SIDE_THREADS * SIDE_THREADS;
    }

    /** 16 columns of the input and of the weights for each team, two scales a token, a number for each thread. */
    private int memoryBytes() {
        return 4 * (teams * 2 * 16 * side + 2 * side + threads());
    }

    void setIn(StepKernel kernel, int tokens) {
        kernel.use("SHAPE", "matrix/tile")
                .use("MATRIX", isLarge() ? "matrix/tile-large-of-matrix" : "matrix/tile-small-of-matrix")
                .set("SIDE", SIDE_THREADS)
                .set("TILE", side)
                .set("TEAMS", teams)
                .set("THREADS", threads())
                .set("TOKENS", tokens)
                .set("PER_THREAD", isLarge() ? 16 : 4);
    }
}
