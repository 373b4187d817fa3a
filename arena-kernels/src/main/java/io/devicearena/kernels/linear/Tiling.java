package io.devicearena.kernels.linear;

import io.devicearena.kernels.step.StepKernel;
import java.util.List;

/**
 * How the elements of a linear layer are shared out among workgroups.
 *
 * @param file the kernel: {@code blocks} of 4 by 4, whose columns some lanes share, or {@code squares}
 * @param tokens of a workgroup
 * @param rows of a matrix that a workgroup multiplies
 * @param threads of a workgroup
 * @param lanes of a block of 4 by 4; 0 for squares
 */
record Tiling(String file, int tokens, int rows, int threads, int lanes) {
    /** Workgroups that keep a large device busy with large squares; with fewer, small squares are faster. */
    private static final long BUSY_GROUPS = 128;

    /** With fewer small squares, most of a large device is idle: blocks are faster. */
    private static final long FEW_GROUPS = 48;

    private static final int BLOCK_THREADS = 128;
    private static final int LEAST_LANES = 32;

    /** How often a lane loads columns, at most, unless all threads of a workgroup share a block already. */
    private static final int LOADS = 4;

    private static final int SQUARE_THREADS = 256;
    private static final int LARGE = 128;
    private static final int SMALL = 64;

    /** The columns of a square that are in workgroup memory at a time. */
    private static final int DEPTH = 16;

    private static final int LARGE_BYTES = 2 * DEPTH * LARGE * Float.BYTES;

    static Tiling of(List<LinearPart> parts, int tokens, int memoryBytes) {
        if (memoryBytes >= LARGE_BYTES && squares(parts, tokens, LARGE) >= BUSY_GROUPS) {
            return new Tiling("squares", LARGE, LARGE, SQUARE_THREADS, 0);
        }
        if (squares(parts, tokens, SMALL) >= FEW_GROUPS) {
            return new Tiling("squares", SMALL, SMALL, SQUARE_THREADS, 0);
        }
        int lanes = LEAST_LANES;
        while (lanes < BLOCK_THREADS && parts.getFirst().matrix().columns() / 4 > LOADS * lanes) {
            lanes *= 2;
        }
        int blocks = BLOCK_THREADS / lanes;
        int high = blocks > 2 ? 2 : 1;
        return new Tiling("blocks", 4 * high, 4 * (blocks / high), BLOCK_THREADS, lanes);
    }

    private static long squares(List<LinearPart> parts, int tokens, int side) {
        long rows = parts.stream()
                .mapToLong(part -> (part.matrix().rows() - 1) / side + 1)
                .sum();
        return rows * ((tokens - 1) / side + 1);
    }

    void setIn(StepKernel kernel) {
        kernel.use("MATRIX", "linear/" + file)
                .set("TILE_ROWS", rows)
                .set("TILE_TOKENS", tokens)
                .set("THREADS", threads);
        if (lanes > 0) {
            kernel.set("LANES", lanes).set("TOKEN_BLOCKS", tokens / 4);
        } else {
            kernel.set("TILE", rows).set("SIDES", tokens / SMALL);
        }
    }
}
