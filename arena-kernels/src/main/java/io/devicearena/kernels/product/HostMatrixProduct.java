package io.devicearena.kernels.product;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import io.devicearena.kernels.tile.Finish;
import io.devicearena.kernels.tile.Packing;
import io.devicearena.kernels.tile.TileMemory;
import io.devicearena.kernels.tile.Tiles;
import java.lang.foreign.MemorySegment;

/** Computes products on the host: packs the operands that change, tile by tile, then multiplies blocks of tiles. */
final class HostMatrixProduct implements Runnable {
    /** The rows of a task, so that its sums stay in the second cache. */
    private static final int MOST_ROWS = 100;

    /** The most columns of a task. */
    private static final int MOST_COLUMNS = 256;

    /** So that no thread waits long for the last task. */
    private static final int TASKS_OF_THREAD = 4;

    private final ProductShape shape;
    private final Tiles tiles;
    private final TileMemory memory;
    private final Operand left;
    private final Operand right;
    private final int[] offsets;
    private final int blockRows;
    private final int blockColumns;
    private final int rowBlocks;
    private final int columnBlocks;
    private final WorkerTasks<Finish.Worker> tasks;
    private final WorkerTasks<TileMemory.Worker> packings;

    HostMatrixProduct(MatrixProduct step, HostValues host, MemorySegment out) {
        this.shape = step.shape();
        this.memory = TileMemory.of(host);
        MemorySegment rows = HostFloats.words(host, step.left(), shape.leftElements());
        MemorySegment columns = HostFloats.words(host, step.right(), shape.rightElements());
        this.tiles = Tiles.best(shape.rows() == 1);
        int width = tiles.columns();
        int height = tiles.rows();
        this.left = new Operand(rows, height, shape.rows(), !shape.isLeftTransposed(), 0, false);
        this.right = new Operand(columns, width, shape.columns(), shape.isRightTransposed(), 1, step.isRightConstant());
        this.offsets = right.packing.offsets();
        this.blockRows = Math.min(MOST_ROWS / height * height, left.tiles() * height);
        this.rowBlocks = (shape.rows() - 1) / blockRows + 1;
        int wanted = TASKS_OF_THREAD * host.threads() / (shape.products() * rowBlocks) + 1;
        this.blockColumns = width * Math.max(1, Math.min(right.tiles() / wanted, MOST_COLUMNS / width));
        this.columnBlocks = (shape.columns() - 1) / blockColumns + 1;
        int sums = blockRows * blockColumns;
        this.packings = new WorkerTasks<>(host, memory.workers(0, sums, shape.depth()), this::pack);
        Finish finish = new Finish(step.epilogue(), host, out);
        this.tasks = new WorkerTasks<>(host, finish.workers(memory.workers(0, sums, shape.depth())), this::multiply);
    }

    /** An operand, and the tiles that it is packed into: once if it is constant, else at each run. */
    private final class Operand {
        private final MemorySegment values;
        private final Packing packing;
        private final int all;
        private final boolean isDepthInner;
        private final int matrices;
        private final int side;
        private final float[] constant;

        Operand(MemorySegment values, int width, int all, boolean isDepthInner, int side, boolean isConstant) {
            this.values = values;
            this.packing = new Packing(width, shape.depth());
            this.all = all;
            this.isDepthInner = isDepthInner;
            long elements = side == 0 ? shape.leftElements() : shape.rightElements();
            this.matrices = Math.toIntExact(elements / ((long) all * shape.depth()));
            this.side = side;
            int floats = Math.multiplyExact(matrices * tiles(), packing.tile());
            this.constant = new float[isConstant ? floats : 0];
            memory.require(side, isConstant ? 0 : floats);
            float[] room = new float[shape.depth()];
            for (int tile = 0; isConstant && tile < matrices * tiles(); tile++) {
                pack(tile, room, constant);
            }
        }

        int tiles() {
            return packing.tiles(all);
        }

        /** The tiles that are packed at each run. */
        int changing() {
            return constant.length > 0 ? 0 : matrices * tiles();
        }

        float[] packed() {
            return constant.length > 0 ? constant : memory.shared(side);
        }

        void pack(int tile, float[] room, float[] to) {
            int depth = packing.depth();
            int first = tile % tiles() * packing.width();
            int step = isDepthInner ? depth : 1;
            long at = (long) (tile / tiles()) * all * depth + (long) first * step;
            int count = Math.min(packing.width(), all - first);
            packing.pack(values, at, count, step, isDepthInner ? 1 : all, room, to, tile * packing.tile());
        }
    }

    @Override
    public void run() {
        packings.run(left.changing() + right.changing());
        tasks.run(shape.products() * rowBlocks * columnBlocks);
    }

    /** Packs a tile of the left operand, or of the right one. */
    private void pack(TileMemory.Worker worker, int task) {
        int ofRight = task - left.changing();
        Operand operand = ofRight < 0 ? left : right;
        operand.pack(ofRight < 0 ? task : ofRight, worker.room(), operand.packed());
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
        float[] a = left.packed();
        float[] b = right.packed();
        int height = tiles.rows();
        for (int c = 0; c < columns; c += tiles.columns()) {
            int bAt = (rightMatrix * right.tiles() + (firstColumn + c) / tiles.columns()) * right.packing.tile();
            for (int r = 0; r < rows; r += height) {
                int aAt = (leftMatrix * left.tiles() + (firstRow + r) / height) * left.packing.tile();
                tiles.multiply(a, aAt, b, bAt, offsets, sums, r * blockColumns + c, blockColumns);
            }
        }
    }
}
