package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.packed.BlockPlanes;
import io.devicearena.kernels.packed.DirectRows;
import io.devicearena.kernels.packed.PlaneLayout;
import io.devicearena.kernels.packed.RowTile;
import io.devicearena.kernels.packed.StagedRow;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A matrix in host memory, how its rows are loaded, and where their products go. */
final class HostPart {
    /** Elements of a tile: its loop is long enough, and what it reads stays in the first cache. */
    private static final int TILE_ELEMENTS = 2560;

    private final ProductPart part;
    private final MemorySegment bytes;
    private final MemorySegment out;
    private final @Nullable MemorySegment bias;
    private final @Nullable DirectRows direct;

    HostPart(ProductPart part, HostValues host) {
        this.part = part;
        this.bytes = host.bytes(part.matrix().id());
        this.out = host.bytes(part.out());
        NodeId added = part.bias();
        this.bias = added == null
                ? null
                : HostFloats.words(host, added, part.matrix().rows());
        this.direct = DirectRows.of(part.matrix().type()).orElse(null);
    }

    int rows() {
        return part.matrix().rows();
    }

    PlaneLayout layout() {
        Matrix matrix = part.matrix();
        return matrix.type().isBlocked() ? BlockPlanes.layout(matrix.type()) : PlaneLayout.ofFloats(matrix.columns());
    }

    /** The most rows of a tile. */
    int tileRows() {
        return part.matrix().type().isBlocked()
                ? Math.max(1, TILE_ELEMENTS / part.matrix().columns())
                : 1;
    }

    /** Multiplies the rows that {@code tile} has, or, where their type allows it, those of the matrix as they are. */
    void multiply(RowTile tile, int first, int count, StagedRow row, int layout, float[] products) {
        Matrix matrix = part.matrix();
        if (direct == null) {
            tile.multiply(row.vector(layout), products);
        } else {
            float[] x = row.row(matrix.columns());
            long rowBytes = matrix.type().rowBytes(matrix.columns());
            int blocks = matrix.columns() / matrix.type().blockElements();
            for (int r = 0; r < count; r++) {
                products[r] = direct.multiply(bytes, (first + r) * rowBytes, blocks, x);
            }
        }
    }

    /** Whether {@link #multiply} needs no rows in a tile. */
    boolean isDirect() {
        return direct != null;
    }

    void load(RowTile tile, int first, int count) {
        Matrix matrix = part.matrix();
        int columns = matrix.columns();
        if (matrix.type().isBlocked()) {
            tile.load(matrix.type(), bytes, first * matrix.type().rowBytes(columns), count, columns);
            return;
        }
        int fourth = columns / 4;
        float[][] planes = tile.loadFloats(columns);
        for (int p = 0; p < planes.length; p++) {
            matrix.decode(bytes, (long) first * columns + (long) p * fourth, fourth, planes[p]);
        }
    }

    void store(int token, int row, float product) {
        long at = (long) token * part.outColumns() + part.firstColumn() + row;
        float added = bias == null ? 0 : HostFloats.get(bias, row);
        HostFloats.set(out, at, product + added);
    }
}
