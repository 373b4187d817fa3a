package io.devicearena.kernels.matrix;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.packed.BlockFormat;
import io.devicearena.kernels.packed.DirectRows;
import io.devicearena.kernels.packed.PlaneLayout;
import io.devicearena.kernels.packed.RowTile;
import io.devicearena.kernels.packed.StagedRow;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A matrix in host memory, how its rows are loaded, and where their products go. */
final class HostPart {
    /** Elements of a tile: its loop is long enough, and what it reads stays in the first cache. */
    private static final int TILE_ELEMENTS = 2560;

    private final ProductPart part;
    private final MemorySegment bytes;
    private final MemorySegment out;
    private final @Nullable BlockFormat blocks;
    private final @Nullable DirectRows direct;

    HostPart(ProductPart part, HostValues host) {
        this.part = part;
        this.bytes = host.bytes(part.matrix().id());
        this.out = host.bytes(part.out());
        WeightFormat format = part.matrix().format();
        this.blocks = format.blockElements() == 1 ? null : BlockFormat.valueOf(format.name());
        this.direct = blocks == null ? null : DirectRows.of(blocks).orElse(null);
    }

    int rows() {
        return part.matrix().rows();
    }

    PlaneLayout layout() {
        return blocks == null ? PlaneLayout.ofFloats(part.matrix().columns()) : blocks.layout();
    }

    /** The most rows of a tile. */
    int tileRows() {
        return blocks == null ? 1 : Math.max(1, TILE_ELEMENTS / part.matrix().columns());
    }

    /** Multiplies the rows that {@code tile} has, or, where the format allows it, those of the matrix as they are. */
    void multiply(RowTile tile, int first, int count, StagedRow row, int layout, float[] products) {
        Matrix matrix = part.matrix();
        if (direct == null) {
            tile.multiply(row.vector(layout), products);
        } else {
            long offset = first * matrix.format().rowBytes(matrix.columns());
            direct.multiply(bytes, offset, count, row.row(matrix.columns()), matrix.columns(), products);
        }
    }

    /** Whether {@link #multiply} needs no rows in a tile. */
    boolean isDirect() {
        return direct != null;
    }

    void load(RowTile tile, int first, int count) {
        Matrix matrix = part.matrix();
        long offset = first * matrix.format().rowBytes(matrix.columns());
        if (blocks != null) {
            tile.load(blocks, bytes, offset, count, matrix.columns());
            return;
        }
        int fourth = matrix.columns() / 4;
        float[][] planes = tile.loadFloats(matrix.columns());
        for (int p = 0; p < planes.length; p++) {
            long at = offset + p * matrix.format().rowBytes(fourth);
            WeightRows.unpack(matrix.format(), bytes, at, fourth, planes[p], 0);
        }
    }

    void store(int token, int row, float product) {
        long at = (long) token * part.outColumns() + part.firstColumn() + row;
        out.set(WeightRows.FLOAT, 4 * at, product);
    }
}
