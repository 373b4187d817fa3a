package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.Words;
import io.devicearena.weights.tensor.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records the products of many rows in CUDA. */
final class CudaTiles {
    /** Rows of a matrix in a tile, or of both matrices of a gated layer together. */
    private static final int ROWS = 64;

    private static final int TOKENS = 64;

    /** Threads that share the columns of a tile. */
    private static final int TEAM = 128;

    /** A warp adds each row. */
    private static final int ADDING_THREADS = 128;

    /** Of three parts; those of fewer are followed by zeros. */
    private static final int JOB_WORDS = 7 + 3 * 11;

    private static final Map<Activation, Integer> ACTIVATIONS =
            Map.of(Activation.GELU_TANH, 1, Activation.GELU_ERF, 2, Activation.SILU, 3);

    private final ProductKernel product;
    private final CudaRecorder device;
    private final int tokens;
    private final int columns;
    private final @Nullable NodeId norm;
    private final float epsilon;
    private final NodeId in;

    private CudaTiles(ProductKernel product, CudaRecorder device) {
        this.product = product;
        this.device = device;
        RowInput input = product.input();
        tokens = input.tokens();
        columns = input.columns();
        switch (input) {
            case NormedInput normed -> {
                NormedRows rows = normed.rows();
                norm = rows.norm();
                epsilon = rows.epsilon();
                in = rows.added().map(NormedRows.Update::sum).orElse(rows.residual());
            }
            case PlainInput plain -> {
                norm = null;
                epsilon = 0;
                in = plain.id();
            }
            case AttentionInput _ -> throw new AssertionError("attention of one row in tiles");
        }
    }

    /** Whether a product is one of many rows of floats. */
    static boolean fits(ProductKernel product) {
        RowInput input = product.input();
        return input.hasTiles() && input.tokens() > 1 && !input.isLastOnly();
    }

    /** How kernels number an activation. */
    static int number(Activation activation) {
        return Objects.requireNonNull(ACTIVATIONS.get(activation));
    }

    static void record(ProductKernel product, CudaRecorder device) {
        CudaTiles tiles = new CudaTiles(product, device);
        if (product.input() instanceof NormedInput normed) {
            normed.rows().added().ifPresent(update -> tiles.add(normed.rows(), update));
        }
        List<ProductPart> parts = product.parts();
        long outs = parts.stream().map(ProductPart::out).distinct().count();
        if (product.activation() != null) {
            tiles.launch("gated_product_tiles", parts, ROWS / 2, TEAM);
        } else if (outs == 3) {
            tiles.launch("product_tiles_of_three", parts, ROWS, TEAM);
        } else {
            parts.forEach(part -> tiles.launch("product_tiles", List.of(part), ROWS, 2 * TEAM));
        }
    }

    private void add(NormedRows rows, NormedRows.Update update) {
        long bytes = rowBytes();
        CudaKernel.of(device, "add_normed")
                .read(rows.residual(), bytes)
                .read(update.value(), bytes)
                .read(update.norm(), 4L * columns)
                .write(update.sum(), bytes)
                .job(tokens, columns, update.norm() == null ? 0 : 1, Float.floatToRawIntBits(epsilon))
                .launch(product.label(), Workgroups.covering(32L * tokens, ADDING_THREADS), ADDING_THREADS);
    }

    private long rowBytes() {
        return (long) Float.BYTES * tokens * columns;
    }

    /** Launches a kernel whose tiles have some rows: of one part after the other, or of both of a gated layer. */
    private void launch(String name, List<ProductPart> parts, int tileRows, int threads) {
        Activation activation = product.activation();
        NodeId cursor = product.input().cursor();
        CudaKernel kernel = CudaKernel.of(device, name)
                .read(in, rowBytes())
                .read(norm, 4L * columns)
                .read(cursor, Cursor.BYTES);
        Words words = new Words()
                .add(tokens, columns, cursor == null ? 0 : 1, norm == null ? 0 : 1)
                .add(activation == null ? 0 : number(activation), device.isExact() ? 1 : 0)
                .add(Float.floatToRawIntBits(epsilon));
        int end = 0;
        for (ProductPart part : parts) {
            CudaRows.weights(kernel, part.matrix());
            int groups = (part.matrix().rows() - 1) / tileRows + 1;
            end = activation == null ? end + groups : groups;
            add(words, part, end);
        }
        if (activation == null) {
            parts.forEach(part -> kernel.read(part.bias(), 4L * part.matrix().rows()));
        }
        parts.stream()
                .skip(activation == null ? 0 : 1)
                .forEach(part -> kernel.write(part.out(), (long) Float.BYTES * tokens * part.outColumns()));
        kernel.job(Arrays.copyOf(words.toArray(), JOB_WORDS))
                .launch(product.label(), Workgroups.of(end, (tokens - 1) / TOKENS + 1), threads);
    }

    /** The words of {@code Part}: how its rows are stored in blocks and copied in panels of blocks, and its output. */
    private static void add(Words words, ProductPart part, int endGroup) {
        Matrix matrix = part.matrix();
        TensorType type = matrix.readType();
        int panel = type == TensorType.Q8_0 ? 128 : type.isBlocked() ? 256 : 64;
        int panelBytes = panel / type.blockElements() * type.blockBytes();
        words.add(
                Matrix.TYPES.indexOf(type),
                matrix.readRowBytes(),
                Integer.numberOfTrailingZeros(type.blockElements()),
                type.blockBytes(),
                Integer.numberOfTrailingZeros(panel),
                panelBytes,
                matrix.rows(),
                part.outColumns(),
                part.firstColumn(),
                part.bias() == null ? 0 : 1,
                endGroup);
    }
}
