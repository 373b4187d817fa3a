package io.devicearena.kernels.product;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.Packing;
import io.devicearena.kernels.tile.TileMemory;
import io.devicearena.kernels.tile.Tiles;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Computes products on the host: packs the operands that change, tile by tile, then multiplies blocks of tiles. */
final class HostMatrixProduct implements Runnable {
    /** The rows of a task, so that its sums stay in the second cache. */
    private static final int MOST_ROWS = 20 * Tiles.ROWS;

    /** The most columns of a task. */
    private static final int MOST_COLUMNS = 256;

    /** So that no thread waits long for the last task. */
    private static final int TASKS_OF_THREAD = 4;

    private static final int LEFT = 0;
    private static final int RIGHT = 1;

    private final ProductShape shape;
    private final Tiles tiles = Tiles.best();
    private final Packing leftPacking;
    private final Packing rightPacking;
    private final int[] offsets;
    private final MemorySegment left;
    private final MemorySegment right;
    private final int leftMatrices;
    private final int rightMatrices;
    private final float[] constantRight;
    private final TileMemory memory;
    private final int blockRows;
    private final int blockColumns;
    private final int rowBlocks;
    private final int columnBlocks;
    private final WorkerTasks<Finish.Worker> tasks;
    private final WorkerTasks<TileMemory.Worker> packings;

    HostMatrixProduct(MatrixProduct step, HostValues host) {
        this.shape = step.shape();
        this.leftPacking = new Packing(shape.rows() == 1 ? 1 : Tiles.ROWS, shape.depth());
        this.rightPacking = new Packing(tiles.columns(), shape.depth());
        this.offsets = rightPacking.offsets();
        this.left = HostFloats.words(host, step.left(), shape.leftElements());
        this.right = HostFloats.words(host, step.right(), shape.rightElements());
        this.leftMatrices = Math.toIntExact(shape.leftElements() / ((long) shape.rows() * shape.depth()));
        int matrices = Math.toIntExact(shape.rightElements() / ((long) shape.columns() * shape.depth()));
        Finish finish = new Finish(step.epilogue(), host, shape.columns(), true, step.out(), shape.outElements());
        this.memory = TileMemory.of(host);
        memory.require(LEFT, Math.multiplyExact(leftMatrices, leftFloats()));
        if (step.isRightConstant()) {
            this.rightMatrices = 0;
            this.constantRight = new float[Math.multiplyExact(matrices, rightFloats())];
            for (int i = 0; i < matrices; i++) {
                rightPacking.packAll(
                        right,
                        (long) i * shape.columns() * shape.depth(),
                        shape.columns(),
                        rightStep(),
                        rightDepthStep(),
                        constantRight,
                        i * rightFloats());
            }
        } else {
            this.rightMatrices = matrices;
            this.constantRight = new float[0];
            memory.require(RIGHT, Math.multiplyExact(matrices, rightFloats()));
        }
        this.blockRows = Math.min(MOST_ROWS, leftPacking.tiles(shape.rows()) * leftPacking.width());
        this.rowBlocks = (shape.rows() - 1) / blockRows + 1;
        int panels = rightPacking.tiles(shape.columns());
        int wanted = TASKS_OF_THREAD * host.threads() / (shape.products() * rowBlocks) + 1;
        int width = tiles.columns();
        this.blockColumns = width * Math.max(1, Math.min(panels / wanted, MOST_COLUMNS / width));
        this.columnBlocks = (shape.columns() - 1) / blockColumns + 1;
        List<TileMemory.Worker> workers = memory.workers(0, blockRows * blockColumns, shape.depth());
        this.packings = new WorkerTasks<>(host, workers.iterator()::next, this::pack);
        this.tasks = new WorkerTasks<>(host, finish.workers(workers), this::multiply);
    }

    private int leftTiles() {
        return leftPacking.tiles(shape.rows());
    }

    private int rightTiles() {
        return rightPacking.tiles(shape.columns());
    }

    private int leftFloats() {
        return leftTiles() * leftPacking.tile();
    }

    private int rightFloats() {
        return rightTiles() * rightPacking.tile();
    }

    private int rightStep() {
        return shape.isRightTransposed() ? shape.depth() : 1;
    }

    private int rightDepthStep() {
        return shape.isRightTransposed() ? 1 : shape.columns();
    }

    @Override
    public void run() {
        packings.run(leftMatrices * leftTiles() + rightMatrices * rightTiles());
        tasks.run(shape.products() * rowBlocks * columnBlocks);
    }

    /** Packs a tile of a left operand, or of a right one. */
    private void pack(TileMemory.Worker worker, int task) {
        int tile = task - leftMatrices * leftTiles();
        if (tile < 0) {
            int step = shape.isLeftTransposed() ? 1 : shape.depth();
            int depthStep = shape.isLeftTransposed() ? shape.rows() : 1;
            pack(worker, left, leftPacking, task, shape.rows(), step, depthStep, memory.shared(LEFT));
        } else {
            float[] to = memory.shared(RIGHT);
            pack(worker, right, rightPacking, tile, shape.columns(), rightStep(), rightDepthStep(), to);
        }
    }

    private static void pack(
            TileMemory.Worker worker,
            MemorySegment from,
            Packing packing,
            int tile,
            int all,
            int step,
            int depthStep,
            float[] to) {
        int tiles = packing.tiles(all);
        int inMatrix = tile % tiles * packing.width();
        long first = (long) (tile / tiles) * all * packing.depth() + (long) inMatrix * step;
        int count = Math.min(packing.width(), all - inMatrix);
        packing.pack(from, first, count, step, depthStep, worker.room(), to, tile * packing.tile());
    }

    /** Computes a block of a product. */
    private void multiply(Finish.Worker worker, int task) {
        int product = task / (rowBlocks * columnBlocks);
        int firstRow = task / columnBlocks % rowBlocks * blockRows;
        int firstColumn = task % columnBlocks * blockColumns;
        int rows = Math.min(blockRows, shape.rows() - firstRow);
        int columns = Math.min(blockColumns, shape.columns() - firstColumn);
        float[] sums = worker.memory().sums();
        multiply(product, firstRow, rows, firstColumn, columns, sums);
        for (int r = 0; r < rows; r++) {
            int at = r * blockColumns;
            long first = ((long) product * shape.rows() + firstRow + r) * shape.columns() + firstColumn;
            worker.finish(sums, at, columns, firstColumn, first);
        }
        worker.end();
    }

    private void multiply(int product, int firstRow, int rows, int firstColumn, int columns, float[] sums) {
        int leftMatrix = 0;
        int rightMatrix = 0;
        int rest = product;
        for (int i = shape.batch().size() - 1; i >= 0; i--) {
            ProductShape.Axis axis = shape.batch().get(i);
            leftMatrix += rest % axis.size() * axis.leftStep();
            rightMatrix += rest % axis.size() * axis.rightStep();
            rest /= axis.size();
        }
        float[] a = memory.shared(LEFT);
        float[] b = rightMatrices == 0 ? constantRight : memory.shared(RIGHT);
        int width = leftPacking.width();
        for (int c = 0; c < columns; c += tiles.columns()) {
            int bAt = rightMatrix * rightFloats() + (firstColumn + c) / tiles.columns() * rightPacking.tile();
            for (int r = 0; r < rows; r += width) {
                int aAt = leftMatrix * leftFloats() + (firstRow + r) / width * leftPacking.tile();
                if (width == 1) {
                    tiles.row(a, aAt, b, bAt, offsets, sums, r * blockColumns + c, tiles.columns());
                } else {
                    tiles.rows(a, aAt, b, bAt, offsets, sums, r * blockColumns + c, blockColumns);
                }
            }
        }
    }
}
