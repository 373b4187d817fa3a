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
    /** A warp copies that often 512 bytes at a time, less what may lie in front of them in the first 16. */
    private static final int LOADS = 3;

    private static final int GATED_LOADS = 2;

    private static final int MOST_LOADS = 6;

    private static final int VECTOR_BYTES = 16;

    private static final int WARPS = 8;

    /** Rows that a warp multiplies together, where a matrix has many. */
    private static final int MANY_ROWS = 4;

    /** So many rows are many: a large device has as many warps. */
    private static final int BUSY_ROWS = 8192;

    /** Of fewer rows, several warps share each. */
    private static final int FEW_ROWS = 1024;

    private static final int MOST_TEAM = 2;

    /** The columns that each of them has at least. */
    private static final int TEAM_COLUMNS = 512;

    /** Each prepares the row that it multiplies. */
    private static final int MOST_BLOCKS = 264;

    /** Of a row in shared memory, beside the pieces. */
    private static final int MOST_STAGED_COLUMNS = 5632;

    private static final int MOST_PARTS = 3;

    /** The sums of warps, and what is read behind a piece. */
    private static final int OTHER_BYTES = 128 + 5 * 128 * Float.BYTES;

    /** More than any row has, less than bytes of any type of that many would overflow. */
    private static final int ALL_COLUMNS = 1 << 24;

    private final ProductKernel product;
    private final CudaRecorder device;
    private final List<ProductPart> parts;
    private final boolean isGated;
    private final boolean isMany;
    private final int team;
    private final int pieceRows;
    private final int panel;

    private CudaRows(ProductKernel product, CudaRecorder device, List<ProductPart> parts) {
        this.product = product;
        this.device = device;
        this.parts = parts;
        Matrix first = parts.getFirst().matrix();
        isGated = product.activation() != null;
        isMany = parts.size() == 1
                && !(product.input() instanceof AttentionInput)
                && first.rows() > BUSY_ROWS
                && first.readType().isBlocked()
                && MANY_ROWS * first.readRowBytes() <= pieceBytes(MOST_LOADS);
        team = isMany || parts.size() > 1 ? 1 : team(first);
        pieceRows = isMany ? MANY_ROWS : 1;
        int loads = isMany ? MOST_LOADS : isGated ? GATED_LOADS : LOADS;
        panel = parts.stream()
                .mapToInt(
                        part -> Math.min(panel(part.matrix(), loads), team > 1 ? first.columns() / team : ALL_COLUMNS))
                .min()
                .orElseThrow();
    }

    /** Whether a product is one of a row of floats. */
    static boolean fits(ProductKernel product) {
        RowInput input = product.input();
        return (input.tokens() == 1 || input.isLastOnly())
                && !input.isRounded()
                && (!input.isStaged() || input.columns() <= MOST_STAGED_COLUMNS);
    }

    static void record(ProductKernel product, CudaRecorder device) {
        List<ProductPart> parts = product.parts();
        long outs = parts.stream().map(ProductPart::out).distinct().count();
        if (product.activation() != null || (outs == parts.size() && outs <= MOST_PARTS)) {
            new CudaRows(product, device, parts).launch();
        } else {
            parts.forEach(part -> new CudaRows(product, device, List.of(part)).launch());
        }
    }

    /** All parts are copied alike: so many rows at a time, or panels of so many columns. */
    private void launch() {
        RowInput input = product.input();
        boolean isAttention = input instanceof AttentionInput;
        String form = isGated ? "row_gated" : isAttention ? "row_attention" : isMany ? "many_row" : "row";
        CudaKernel kernel = CudaKernel.of(device, form + "_products");
        List<Integer> words = addInput(kernel);
        List<Integer> rows = new ArrayList<>();
        int turns = 0;
        int vectors = 0;
        for (int i = 0; i < MOST_PARTS; i++) {
            ProductPart part = parts.get(Math.min(i, parts.size() - 1));
            turns += i < parts.size() && !(isGated && i > 0) ? (part.matrix().rows() - 1) / pieceRows + 1 : 0;
            vectors = Math.max(vectors, vectors(part.matrix()));
            rows.addAll(rows(part.matrix(), pieceRows, panel));
            rows.addAll(List.of(part.firstColumn(), turns));
        }
        words.addAll(List.of(Integer.numberOfTrailingZeros(team), vectors, turns));
        words.addAll(rows);
        List<@Nullable ProductPart> padded = new ArrayList<>(parts);
        while (!isGated && !isAttention && !isMany && padded.size() < MOST_PARTS) {
            padded.add(null);
        }
        padded.forEach(part -> weights(kernel, part == null ? null : part.matrix()));
        if (isGated) {
            out(kernel, parts.getFirst());
        } else {
            padded.forEach(part -> kernel.read(part == null ? null : part.bias(), part == null ? 1 : rowsBytes(part)));
            padded.forEach(part -> out(kernel, part));
        }
        int buffers = WARPS * (isGated ? 2 : 1) * vectors * VECTOR_BYTES;
        int blocks = (turns * team - 1) / WARPS + 1;
        kernel.job(words.stream().mapToInt(word -> word).toArray())
                .sharedBytes(OTHER_BYTES + buffers + (input.isStaged() ? Float.BYTES * input.columns() : 0))
                .launch(product.label(), Workgroups.of(team > 1 ? blocks : Math.min(blocks, MOST_BLOCKS)), 32 * WARPS);
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
        int headDim = 0;
        int splits = 0;
        float epsilon = 0;
        switch (input) {
            case NormedInput normed -> {
                NormedRows rows = normed.rows();
                NormedRows.@Nullable Update update = rows.update();
                epsilon = rows.epsilon();
                kernel.read(rows.residual(), bytes)
                        .read(update == null ? null : update.value(), bytes)
                        .read(update == null ? null : update.norm(), rowBytes)
                        .read(rows.norm(), rowBytes)
                        .write(update == null ? null : update.sum(), bytes);
            }
            case AttentionInput attention -> {
                headDim = attention.headDim();
                splits = attention.splits();
                long partials = (long) Float.BYTES * attention.heads() * splits * (headDim + 4);
                kernel.read(attention.partials(), partials);
            }
            case PlainInput plain ->
                kernel.read(plain.id(), bytes)
                        .read(null, 1)
                        .read(null, 1)
                        .read(null, 1)
                        .write(null, 1);
            default -> throw new AssertionError(input);
        }
        NodeId cursor = input.isLastOnly() ? input.cursor() : null;
        if (!(input instanceof AttentionInput)) {
            kernel.read(cursor, 16);
        }
        return new ArrayList<>(List.of(
                input.columns(),
                product.activation() == null ? 0 : CudaTiles.number(product.activation()),
                headDim,
                splits,
                Float.floatToRawIntBits(epsilon)));
    }

    /** Adds the pointer to what kernels read of a matrix, or a null pointer. */
    static void weights(CudaKernel kernel, @Nullable Matrix matrix) {
        if (matrix != null && matrix.isMirrored()) {
            kernel.readMirror(matrix.id());
        } else {
            kernel.read(matrix == null ? null : matrix.id(), matrix == null ? 1 : matrix.bytes());
        }
    }

    /** The warps that share a row, each with a panel of it: several where there are too few rows for all. */
    private static int team(Matrix matrix) {
        int team = 1;
        while (matrix.rows() < FEW_ROWS
                && matrix.readType().isBlocked()
                && Integer.bitCount(matrix.columns()) == 1
                && team < MOST_TEAM
                && matrix.columns() >= 2 * team * TEAM_COLUMNS) {
            team *= 2;
        }
        return team;
    }

    private static int pieceBytes(int loads) {
        return loads * 32 * VECTOR_BYTES - VECTOR_BYTES;
    }

    /** What a warp needs for a piece, in 16 bytes: some lie in front of it, and a word behind it is read. */
    private int vectors(Matrix matrix) {
        TensorType type = matrix.readType();
        long bytes = panel == ALL_COLUMNS
                ? pieceRows * matrix.readRowBytes()
                : (long) panel / type.blockElements() * type.blockBytes();
        return (int) (bytes - 1) / VECTOR_BYTES + 3;
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
    static int panel(Matrix matrix, int loads) {
        TensorType type = matrix.readType();
        int most = pieceBytes(loads) / type.blockBytes() * type.blockElements();
        return matrix.columns() <= most ? ALL_COLUMNS : Integer.highestOneBit(most);
    }
}
