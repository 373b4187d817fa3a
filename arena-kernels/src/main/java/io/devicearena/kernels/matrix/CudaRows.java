package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.Words;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records the products of one row in CUDA. */
final class CudaRows {
    /** Of a block. */
    private static final int WARPS = 8;

    /** Of a block whose rows have a norm, and of one without: small blocks fit beside those of other kernels. */
    private static final int NORMED_WARPS = 6;

    private static final int PLAIN_WARPS = 4;

    private static final int GATED_TEAM = 2;

    /** Of columns, that a warp reads together: the lanes have 4 each of 128. */
    private static final int UNITS = 4;

    private static final int UNIT = 128;

    /** Fewer are few: of short ones, several warps share each. */
    private static final int FEW_ROWS = 1024;

    private static final int MOST_TEAM = 4;

    /** Of all blocks, each of which prepares the row that it multiplies. */
    private static final int MOST_WARPS = 4224;

    /** So many rows are many: each warp multiplies several. */
    private static final int BUSY_ROWS = 8192;

    /** Which it copies ahead together, twice. */
    private static final int MANY_ROWS = 4;

    private static final int STAGES = 2;

    private static final int MANY_BLOCKS = 1056;

    private static final int MANY_COLUMNS = 640;

    /**
     * Rows with so many columns are long: warps keep the input in registers, a warp 1,024 columns of it. With 2,048
     * columns a token of Gemma 3 270M takes 3 % longer.
     */
    private static final int LONG_COLUMNS = 2304;

    private static final int SPAN = 1024;

    /** Of a block, so that one fills a processor. */
    private static final int LONG_WARPS = 16;

    /** Of all blocks, as many as run at the same time on a large device. */
    private static final int LONG_BLOCKS = 132;

    /** Of few rows, a block has so many and half of the warps, so that blocks are spread over the device. */
    private static final int FEW_BLOCK_ROWS = 4;

    private static final int VECTOR_BYTES = 16;

    private static final int MOST_SHARED_BYTES = 48 << 10;

    /** Of it, the sums of warps. */
    private static final int OTHER_BYTES = 128;

    private static final int MOST_PARTS = 3;

    private final ProductKernel product;
    private final CudaRecorder device;
    private final List<ProductPart> parts;

    /** The parts whose rows count: of a gated layer the first, since those of the second go with them. */
    private final List<ProductPart> counted;

    private final boolean isGated;
    private final boolean isMany;
    private final int columns;

    /** Of all matrices, or of each of those that belong together. */
    private final int rows;

    /** Of a block, at most, where rows are long; otherwise 0. */
    private final int blockRows;

    private CudaRows(ProductKernel product, CudaRecorder device, List<ProductPart> parts) {
        this.product = product;
        this.device = device;
        this.parts = parts;
        columns = product.input().columns();
        isGated = product.activation() != null;
        counted = isGated ? List.of(parts.getFirst()) : parts;
        rows = counted.stream().mapToInt(part -> part.matrix().rows()).sum();
        Matrix first = parts.getFirst().matrix();
        isMany = parts.size() == 1
                && !(product.input() instanceof AttentionInput)
                && rows > BUSY_ROWS
                && columns <= MANY_COLUMNS
                && rowBytes(columns) + stageBytes(first) <= MOST_SHARED_BYTES;
        int most = rows < FEW_ROWS ? FEW_BLOCK_ROWS : (rows - 1) / LONG_BLOCKS + 1;
        blockRows = isLong() ? Math.min(most, mostLongRows()) : 0;
    }

    /** Whether rows are long and packed, and those of a gated layer of the same type. */
    private boolean isLong() {
        return columns >= LONG_COLUMNS
                && spans() <= longWarps()
                && mostLongRows() > 0
                && parts.stream().allMatch(part -> part.matrix().readType().blockElements() > 1)
                && (!isGated
                        || parts.get(0).matrix().readType()
                                == parts.get(1).matrix().readType());
    }

    private int longWarps() {
        return rows < FEW_ROWS ? LONG_WARPS / 2 : LONG_WARPS;
    }

    /** The warps that share a long row. */
    private int spans() {
        return (columns - 1) / SPAN + 1;
    }

    /** The rows whose sums of each warp have a place in shared memory. */
    private int mostLongRows() {
        int bytes = MOST_SHARED_BYTES - longBytes(0);
        return bytes / (Float.BYTES * spans() * (isGated ? GATED_TEAM : 1));
    }

    /** Of a block: sums, the row if it is prepared, and the sums of each warp of its rows and of one more. */
    private int longBytes(int blockRows) {
        int row = product.input() instanceof PlainInput ? 0 : columns;
        int sums = (blockRows * (isGated ? GATED_TEAM : 1) + 1) * spans();
        return OTHER_BYTES + Math.ceilDiv(Float.BYTES * (row + sums), VECTOR_BYTES) * VECTOR_BYTES;
    }

    /** Whether a product is one of a row of floats. */
    static boolean fits(ProductKernel product) {
        RowInput input = product.input();
        return (input.tokens() == 1 || input.isLastOnly())
                && !input.isRounded()
                && (!input.isStaged() || rowBytes(input.columns()) <= MOST_SHARED_BYTES);
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

    private void launch() {
        RowInput input = product.input();
        boolean isAttention = input instanceof AttentionInput;
        boolean isLong = blockRows > 0;
        boolean isPlain = input instanceof PlainInput && !isGated && !isMany && !isLong;
        String kind = isGated ? "_gated" : isAttention ? "_attention" : isPlain || isMany || isLong ? "" : "_normed";
        CudaKernel kernel =
                CudaKernel.of(device, (isMany ? "many_" : isLong ? "long_" : "") + "row" + kind + "_products");
        Words words = addInput(kernel, isPlain);
        int team = isGated ? GATED_TEAM : isAttention || (isPlain && parts.size() == 1) ? team() : 1;
        words.add(isLong ? blockRows : Integer.numberOfTrailingZeros(team), rows);
        for (int i = 0; i < MOST_PARTS; i++) {
            ProductPart part = parts.get(Math.min(i, parts.size() - 1));
            Matrix matrix = part.matrix();
            words.add(
                    Matrix.TYPES.indexOf(matrix.readType()), matrix.readRowBytes(), matrix.rows(), part.firstColumn());
        }
        int missing = isGated || isAttention || isMany ? 0 : MOST_PARTS - parts.size();
        parts.forEach(part -> weights(kernel, part.matrix()));
        kernel.nulls(missing);
        if (!isGated) {
            parts.forEach(part ->
                    kernel.read(part.bias(), (long) Float.BYTES * part.matrix().rows()));
            kernel.nulls(missing);
        }
        counted.forEach(part -> kernel.write(part.out(), (long) Float.BYTES * part.outColumns()));
        kernel.nulls(missing);
        kernel.job(words);
        if (isLong) {
            launchLong(kernel);
            return;
        }
        int warps = isPlain ? PLAIN_WARPS : isMany || isGated || isAttention ? WARPS : NORMED_WARPS;
        int blocks = (rows * team - 1) / (warps * (isMany ? MANY_ROWS : 1)) + 1;
        int most = isMany ? MANY_BLOCKS : MOST_WARPS / warps;
        long sharedBytes = isPlain ? OTHER_BYTES : rowBytes(columns);
        if (isMany) {
            sharedBytes += stageBytes(parts.getFirst().matrix());
        }
        kernel.sharedBytes((int) sharedBytes)
                .launch(product.label(), Workgroups.of(team > 1 ? blocks : Math.min(blocks, most)), 32 * warps);
    }

    /** A block has rows of one matrix, and teams of warps that share them. */
    private void launchLong(CudaKernel kernel) {
        int blocks = counted.stream()
                .mapToInt(part -> Math.ceilDiv(part.matrix().rows(), blockRows))
                .sum();
        int warps = longWarps() / spans() * spans();
        kernel.sharedBytes(longBytes(blockRows)).launch(product.label(), Workgroups.of(blocks), 32 * warps);
    }

    /** Of the sums and a row in shared memory. */
    private static int rowBytes(int columns) {
        return OTHER_BYTES + Float.BYTES * columns;
    }

    /** The rows that all warps of a block copy; some bytes lie in front of them and behind them. */
    private static long stageBytes(Matrix matrix) {
        return (long) WARPS * STAGES * VECTOR_BYTES * (MANY_ROWS * matrix.readRowBytes() / VECTOR_BYTES + 2);
    }

    /** The warps that share a row, as long as each has columns: several where there are too few rows for all. */
    private int team() {
        int team = 1;
        while (rows < FEW_ROWS && team < MOST_TEAM && columns > UNITS * UNIT * team) {
            team *= 2;
        }
        return team;
    }

    /** Adds the pointers to the input, and returns the words of {@code RowJob} before its parts. */
    private Words addInput(CudaKernel kernel, boolean isPlain) {
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
            case PlainInput plain -> {
                kernel.read(plain.id(), bytes);
                if (!isPlain) {
                    kernel.nulls(4);
                }
            }
        }
        NodeId cursor = input.isLastOnly() && input.tokens() > 1 ? input.cursor() : null;
        if (!isPlain && !(input instanceof AttentionInput)) {
            kernel.read(cursor, Cursor.BYTES);
        }
        return new Words()
                .add(
                        columns,
                        product.activation() == null ? 0 : CudaTiles.number(product.activation()),
                        headDim,
                        splits,
                        Float.floatToRawIntBits(epsilon));
    }

    /** Adds the pointer to what kernels read of a matrix. */
    static void weights(CudaKernel kernel, Matrix matrix) {
        if (matrix.isMirrored()) {
            kernel.readMirror(matrix.id());
        } else {
            kernel.read(matrix.id(), matrix.bytes());
        }
    }
}
