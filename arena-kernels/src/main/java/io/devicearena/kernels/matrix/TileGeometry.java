package io.devicearena.kernels.matrix;

import java.util.List;

/**
 * How a product of many tokens is cut into squares, one for each workgroup.
 *
 * @param side rows and tokens of a square: 32, 64, or 128 for large products
 */
record TileGeometry(int side) {
    private static final int LARGE = 128;

    /** The input and the weights of a large square, and the scales of its tokens. */
    private static final int LARGE_BYTES = 2 * 16 * LARGE * 4 + 2 * LARGE * 4 + 256 * 4;

    /** Workgroups that keep a large device busy. */
    private static final long BUSY_GROUPS = 128;

    static TileGeometry of(List<ProductPart> parts, int tokens, int memory, boolean gated) {
        if (!gated && memory >= LARGE_BYTES && groups(parts, tokens, LARGE) >= BUSY_GROUPS) {
            return new TileGeometry(LARGE);
        }
        return new TileGeometry(groups(parts, tokens, 64) >= BUSY_GROUPS ? 64 : 32);
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

    String file() {
        return isLarge() ? "tile-large-of-matrix" : "tile-small-of-matrix";
    }

    void addTo(KernelText text, int tokens) {
        int threads = isLarge() ? side / 8 : side / 4;
        text.constant("SIDE", threads);
        text.constant("TILE", side);
        text.constant("THREADS", threads * threads);
        text.constant("TOKENS", tokens);
        text.line("const PER_THREAD = " + (isLarge() ? 16 : 4) + "u;");
        text.repeat("#R", 4);
        text.repeat("#T", 8);
        text.repeat("#E", isLarge() ? 16 : 4);
        text.file("tile");
    }
}
