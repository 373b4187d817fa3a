package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records the products of one row in CUDA, and how rows of packed matrices are copied in pieces. */
final class CudaRows {
    /** What a warp copies at a time, less what may lie in front of a piece in its first 16 bytes. */
    private static final int PIECE_BYTES = 6 * 32 * 16 - 16;

    private static final int WARPS = 4;

    private static final int MOST_PIECE_ROWS = 8;

    /** With fewer, a warp has fewer rows at a time. */
    private static final int BUSY_WARPS = 2048;

    /** Each prepares the row that it multiplies. */
    private static final int MOST_BLOCKS = 1024;

    /** Of a row in shared memory, beside the pieces of a gated layer. */
    private static final int MOST_STAGED_COLUMNS = 5632;

    private static final int MOST_PARTS = 3;

    /** More than any row has, less than bytes of any type of that many would overflow. */
    private static final int ALL_COLUMNS = 1 << 24;

    private final ProductKernel product;
    private final CudaRecorder device;
    private final boolean isGated;

    private CudaRows(ProductKernel product, CudaRecorder device) {
        this.product = product;
        this.device = device;
        isGated = product.activation() != null;
    }

    /** Whether a product is one of a row of floats. */
    static boolean fits(ProductKernel product) {
        RowInput input = product.input();
        return (input.tokens() == 1 || input.isLastOnly())
                && !input.isRounded()
                && (!input.isStaged() || sharedBytes(input) <= Float.BYTES * MOST_STAGED_COLUMNS);
    }

    static void record(ProductKernel product, CudaRecorder device) {
        CudaRows rows = new CudaRows(product, device);
        List<ProductPart> parts = product.parts();
        long outs = parts.stream().map(ProductPart::out).distinct().count();
        if (rows.isGated || (outs == parts.size() && outs <= MOST_PARTS)) {
            rows.launch(parts);
        } else {
            parts.forEach(part -> rows.launch(List.of(part)));
        }
    }

    /** All parts are copied alike: so many rows at a time, or panels of so many columns. */
    private void launch(List<ProductPart> parts) {
        CudaKernel kernel = CudaKernel.of(device, isGated ? "row_gated_products" : "row_products");
        List<Integer> words = addInput(kernel);
        int pieceRows =
                parts.stream().mapToInt(part -> pieceRows(part.matrix())).min().orElseThrow();
        int panel = parts.stream().mapToInt(part -> panel(part.matrix())).min().orElseThrow();
        int turns = 0;
        for (int i = 0; i < MOST_PARTS; i++) {
            ProductPart part = parts.get(Math.min(i, parts.size() - 1));
            turns += i < parts.size() && !(isGated && i > 0) ? (part.matrix().rows() - 1) / pieceRows + 1 : 0;
            words.addAll(rows(part.matrix(), pieceRows, panel));
            words.addAll(List.of(part.firstColumn(), part.bias() == null ? 0 : 1, turns));
        }
        List<@Nullable ProductPart> padded = new ArrayList<>(parts);
        while (!isGated && padded.size() < MOST_PARTS) {
            padded.add(null);
        }
        padded.forEach(part -> weights(kernel, part == null ? null : part.matrix()));
        if (isGated) {
            out(kernel, parts.getFirst());
        } else {
            padded.forEach(part -> kernel.read(part == null ? null : part.bias(), part == null ? 1 : rowsBytes(part)));
            padded.forEach(part -> out(kernel, part));
        }
        RowInput input = product.input();
        kernel.job(words.stream().mapToInt(word -> word).toArray())
                .sharedBytes(sharedBytes(input))
                .launch(product.label(), Workgroups.of(Math.min((turns - 1) / WARPS + 1, MOST_BLOCKS)), 32 * WARPS);
    }

    /** The row, and three numbers for each split of a head. */
    private static int sharedBytes(RowInput input) {
        int splits = input instanceof AttentionInput attention ? attention.heads() * attention.splits() : 0;
        return input.isStaged() ? Float.BYTES * (input.columns() + 3 * splits) : 0;
    }

    private static void out(CudaKernel kernel, @Nullable ProductPart part) {
        kernel.write(part == null ? null : part.out(), part == null ? 1 : (long) Float.BYTES * part.outColumns());
    }

    private static long rowsBytes(ProductPart part) {
        return (long) Float.BYTES * part.matrix().rows();
    }

    /** Adds the pointers to the input, and returns the words of {@code RowJob} before its parts. */
    private List<Integer> addInput(CudaKernel kernel) {
        RowInput input = product.input();
        long rowBytes = (long) Float.BYTES * input.columns();
        long bytes = rowBytes * input.tokens();
        int kind = 0;
        int headDim = 0;
        int splits = 0;
        float epsilon = 0;
        NormedRows.@Nullable Update update = null;
        switch (input) {
            case NormedInput normed -> {
                NormedRows rows = normed.rows();
                update = rows.update();
                kind = 1;
                epsilon = rows.epsilon();
                kernel.read(rows.residual(), bytes)
                        .read(update == null ? null : update.value(), bytes)
                        .read(update == null ? null : update.norm(), rowBytes)
                        .read(rows.norm(), rowBytes)
                        .write(update == null ? null : update.sum(), bytes);
            }
            case AttentionInput attention -> {
                kind = 2;
                headDim = attention.headDim();
                splits = attention.splits();
                long partials = (long) Float.BYTES * attention.heads() * splits * (headDim + 4);
                withoutNorms(kernel.read(attention.partials(), partials));
            }
            case PlainInput plain -> withoutNorms(kernel.read(plain.id(), bytes));
            default -> throw new AssertionError(input);
        }
        NodeId cursor = input.isLastOnly() ? input.cursor() : null;
        kernel.read(cursor, 16);
        return new ArrayList<>(List.of(
                kind,
                input.columns(),
                cursor == null ? 0 : 1,
                update == null ? 0 : 1,
                update == null || update.norm() == null ? 0 : 1,
                product.activation() == null ? 0 : CudaTiles.number(product.activation()),
                headDim,
                splits,
                Float.floatToRawIntBits(epsilon)));
    }

    private static void withoutNorms(CudaKernel kernel) {
        kernel.read(null, 1).read(null, 1).read(null, 1).write(null, 1);
    }

    /** Adds the pointer to what kernels read of a matrix, or a null pointer. */
    static void weights(CudaKernel kernel, @Nullable Matrix matrix) {
        if (matrix != null && matrix.isMirrored()) {
            kernel.readMirror(matrix.id());
        } else {
            kernel.read(matrix == null ? null : matrix.id(), matrix == null ? 1 : matrix.bytes());
        }
    }

    /** Rows that a warp copies at a time: as many as leave enough warps busy, 1 of long rows. */
    private static int pieceRows(Matrix matrix) {
        int rows = 1;
        while (rows < MOST_PIECE_ROWS
                && 2L * rows * matrix.readRowBytes() <= PIECE_BYTES
                && matrix.rows() / (2 * rows) >= BUSY_WARPS) {
            rows *= 2;
        }
        return rows;
    }

    /** The words of {@code Rows}; a long row is copied in several panels of so many columns. */
    static List<Integer> rows(Matrix matrix, int pieceRows, int panel) {
        TensorType type = matrix.readType();
        return List.of(
                Matrix.TYPES.indexOf(type),
                (int) matrix.readRowBytes(),
                Integer.numberOfTrailingZeros(type.blockElements()),
                type.blockBytes(),
                Integer.numberOfTrailingZeros(panel),
                panel / type.blockElements() * type.blockBytes(),
                matrix.rows(),
                pieceRows,
                (matrix.columns() - 1) / panel + 1);
    }

    /** The columns of a panel: a power of two, all of a row where it fits. */
    static int panel(Matrix matrix) {
        TensorType type = matrix.readType();
        int most = PIECE_BYTES / type.blockBytes() * type.blockElements();
        return matrix.columns() <= most ? ALL_COLUMNS : Integer.highestOneBit(most);
    }
}
