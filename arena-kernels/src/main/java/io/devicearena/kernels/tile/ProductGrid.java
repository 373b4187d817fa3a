package io.devicearena.kernels.tile;

import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.StepKernel;

/**
 * How the sums of products are shared out among the workgroups of the kernel {@code product/tiles}.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param rows of a product
 * @param columns of a product
 * @param depth of a product
 * @param products how many
 * @param high the rows of a thread, of which there are 8 by 8
 * @param wide the columns of a thread
 */
public record ProductGrid(int rows, int columns, int depth, int products, int high, int wide) {
    private static final int SIDE = 8;
    private static final int MOST = 4;

    /** Workgroups that keep a large device busy; with fewer, smaller tiles are faster. */
    private static final long BUSY_GROUPS = 256;

    /**
     * Chooses the largest tiles that keep a device busy.
     *
     * @param rows of a product
     * @param columns of a product
     * @param depth of a product
     * @param products how many
     * @return the grid
     */
    public static ProductGrid of(int rows, int columns, int depth, int products) {
        ProductGrid grid = new ProductGrid(rows, columns, depth, products, side(rows), side(columns));
        while (grid.groups() < BUSY_GROUPS && (grid.high > 1 || grid.wide > 1)) {
            grid = grid.high > grid.wide
                    ? new ProductGrid(rows, columns, depth, products, grid.high / 2, grid.wide)
                    : new ProductGrid(rows, columns, depth, products, grid.high, grid.wide / 2);
        }
        return grid;
    }

    /** The most elements of a thread along a side. */
    private static int side(int length) {
        int side = MOST;
        while (side > 1 && length <= SIDE * side / 2) {
            side /= 2;
        }
        return side;
    }

    private static int tiles(int length, int side) {
        return (length - 1) / (SIDE * side) + 1;
    }

    private long groups() {
        return (long) tiles(rows, high) * tiles(columns, wide) * products;
    }

    /**
     * Sets the sizes in a kernel, and records it.
     *
     * @param kernel with all of its values
     * @param label the name of the step
     */
    public void dispatch(StepKernel kernel, String label) {
        kernel.set("ROWS", rows)
                .set("COLUMNS", columns)
                .set("DEPTH", depth)
                .set("HIGH", high)
                .set("WIDE", wide)
                .dispatch(label, new Workgroups(tiles(columns, wide), tiles(rows, high), products));
    }

    /**
     * Adds the sizes to a kernel in CUDA, as the structure {@code Tiles} of {@code tiles.cuh}, and records it: with
     * square tiles.
     *
     * @param kernel with all of its other parameters
     * @param label the name of the step
     */
    public void launch(CudaKernel kernel, String label) {
        int side = Math.min(high, wide);
        kernel.job(rows, columns, depth, Integer.numberOfTrailingZeros(side))
                .launch(label, new Workgroups(tiles(columns, side), tiles(rows, side), products), SIDE * SIDE);
    }
}
