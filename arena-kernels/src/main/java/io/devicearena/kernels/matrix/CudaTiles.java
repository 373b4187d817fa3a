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
            default -> throw new AssertionError(input);
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
            tiles.gated(parts.get(0), parts.get(1), product.activation());
        } else if (outs == 3) {
            tiles.three();
        } else {
            parts.forEach(tiles::one);
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

    private CudaKernel begin(String name) {
        return CudaKernel.of(device, name)
                .read(in, rowBytes())
                .read(norm, 4L * columns)
                .read(product.input().cursor(), Cursor.BYTES);
    }

    private void one(ProductPart part) {
        int groups = groups(part, ROWS);
        CudaKernel kernel = begin("product_tiles");
        CudaRows.weights(kernel, part.matrix());
        kernel.read(part.bias(), 4L * part.matrix().rows());
        out(kernel, part);
        Words words = job(0);
        add(words, part, groups);
        launch(kernel, words, groups, 2 * TEAM);
    }

    private void three() {
        CudaKernel kernel = begin("product_tiles_of_three");
        product.parts().forEach(part -> CudaRows.weights(kernel, part.matrix()));
        product.parts()
                .forEach(part -> kernel.read(part.bias(), 4L * part.matrix().rows()));
        product.parts().forEach(part -> out(kernel, part));
        Words words = job(0);
        int end = 0;
        for (ProductPart part : product.parts()) {
            end += groups(part, ROWS);
            add(words, part, end);
        }
        launch(kernel, words, end, TEAM);
    }

    private void gated(ProductPart gate, ProductPart up, Activation activation) {
        int groups = groups(up, ROWS / 2);
        CudaKernel kernel = begin("gated_product_tiles");
        CudaRows.weights(kernel, gate.matrix());
        CudaRows.weights(kernel, up.matrix());
        out(kernel, up);
        Words words = job(number(activation));
        add(words, gate, groups);
        add(words, up, groups);
        launch(kernel, words, groups, TEAM);
    }

    private static int groups(ProductPart part, int rows) {
        return (part.matrix().rows() - 1) / rows + 1;
    }

    private void out(CudaKernel kernel, ProductPart part) {
        kernel.write(part.out(), (long) Float.BYTES * tokens * part.outColumns());
    }

    private void launch(CudaKernel kernel, Words words, int groups, int threads) {
        kernel.job(Arrays.copyOf(words.toArray(), JOB_WORDS))
                .launch(product.label(), Workgroups.of(groups, (tokens - 1) / TOKENS + 1), threads);
    }

    /** The words of {@code ProductJob}. */
    private Words job(int activation) {
        return new Words()
                .add(tokens, columns, product.input().cursor() == null ? 0 : 1, norm == null ? 0 : 1, activation)
                .add(device.isExact() ? 1 : 0, Float.floatToRawIntBits(epsilon));
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
