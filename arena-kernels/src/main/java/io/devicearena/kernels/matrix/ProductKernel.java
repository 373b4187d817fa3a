package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records products: of few tokens row by row of the matrix, of many in tiles.
 *
 * @param label of the step
 * @param input what is multiplied
 * @param parts the matrices, of equal columns
 * @param activation if not null, the two parts are the gate and the up projection of a gated layer, of equal rows, for
 *     one output
 */
record ProductKernel(
        String label,
        RowInput input,
        List<ProductPart> parts,
        @Nullable Activation activation) {
    /**
     * The most workgroups that stage a row each: they keep a large device busy, and with more the staging would take
     * longer than the product.
     */
    private static final int STAGED_GROUPS = 2048;

    ProductKernel {
        for (ProductPart part : parts) {
            int columns = part.matrix().columns();
            if (columns != input.columns() || columns % 8 != 0) {
                throw new IllegalArgumentException("matrix " + part.matrix().id() + ": expected " + input.columns()
                        + " columns, a multiple of 8, got " + columns);
            }
        }
    }

    static ProductKernel of(ProductStep step) {
        return switch (step) {
            case Product product -> product.kernel();
            case GatedProduct product -> product.kernel();
            case NormedProduct product -> product.kernel();
            case NormedGatedProduct product -> product.kernel();
            case AttentionProduct product -> product.kernel();
        };
    }

    /** The product of the rows with a matrix. */
    static ProductKernel of(String label, RowInput input, Matrix matrix, NodeId out) {
        return new ProductKernel(label, input, List.of(ProductPart.whole(matrix, out)), null);
    }

    /** The products of the rows with a gate, through the activation, and with another matrix, multiplied. */
    static ProductKernel gated(
            String label, RowInput input, Matrix gate, Matrix up, Activation activation, NodeId out) {
        if (gate.rows() != up.rows()) {
            throw new IllegalArgumentException(
                    "gate " + gate.id() + ": expected " + up.rows() + " rows, got " + gate.rows());
        }
        List<ProductPart> parts = List.of(ProductPart.whole(gate, out), ProductPart.whole(up, out));
        return new ProductKernel(label, input, parts, activation);
    }

    /** What the step reads: the input, its cursor, the matrices and their biases, each once. */
    List<NodeId> reads() {
        Set<NodeId> all = new LinkedHashSet<>(input.reads());
        NodeId cursor = input.cursor();
        if (cursor != null) {
            all.add(cursor);
        }
        parts.forEach(part -> all.add(part.matrix().id()));
        parts.stream().map(ProductPart::bias).filter(Objects::nonNull).forEach(all::add);
        return List.copyOf(all);
    }

    /** What the step writes, each value once. */
    List<NodeId> writes() {
        Set<NodeId> all = new LinkedHashSet<>(input.writes());
        parts.forEach(part -> all.add(part.out()));
        return List.copyOf(all);
    }

    void record(StepRecorder device) {
        KernelFacts facts = device.facts();
        RowGeometry rows = RowGeometry.of(input, parts, StepKernel.subgroupSize(facts));
        boolean tiles = RowGeometry.MOST_TOKENS < outTokens() && input.hasTiles();
        TileGeometry tile = TileGeometry.of(parts, outTokens(), facts.maxWorkgroupMemoryBytes(), activation != null);
        boolean looping = !tiles && input.isStaged();
        long groups = looping ? Integer.MAX_VALUE : facts.maxWorkgroups() / 4;
        int step = tiles ? tile.side() : rows.rowsOfGroup();
        int most = parts.stream()
                .mapToInt(part -> part.matrix().mostRows(facts, groups * step))
                .min()
                .orElseThrow();
        boolean whole = parts.stream().allMatch(part -> part.matrix().rows() <= most);
        long biases = parts.stream().filter(part -> part.bias() != null).count();
        boolean bindable = 6 + 2 * parts.size() + biases <= facts.maxStorageBindings();
        if (activation == null && !(whole && bindable)) {
            parts.forEach(part -> split(device, List.of(part), most, rows, tiles ? tile : null));
        } else {
            split(device, parts, most, rows, tiles ? tile : null);
        }
    }

    private int outTokens() {
        return input.isLastOnly() ? 1 : input.tokens();
    }

    private void split(
            StepRecorder device, List<ProductPart> some, int most, RowGeometry rows, @Nullable TileGeometry tile) {
        int all = some.stream().mapToInt(part -> part.matrix().rows()).max().orElseThrow();
        for (int first = 0; first < all; first += most) {
            dispatch(device, some, first, most, rows, tile);
        }
    }

    private void dispatch(
            StepRecorder device,
            List<ProductPart> some,
            int first,
            int most,
            RowGeometry rows,
            @Nullable TileGeometry tile) {
        int step = tile == null ? rows.rowsOfGroup() : tile.side();
        int[] ends = new int[some.size()];
        for (int i = 0; i < ends.length; i++) {
            int count = Math.min(most, some.get(i).matrix().rows() - first);
            ends[i] = (i == 0 ? 0 : ends[i - 1]) + (count - 1) / step + 1;
        }
        int groups = activation == null ? ends[ends.length - 1] : ends[0];
        int dispatched = tile == null && input.isStaged() ? Math.min(groups, STAGED_GROUPS) : groups;
        StepKernel kernel = StepKernel.of(
                        device,
                        (activation == null ? "matrix/product" : "matrix/gated-product")
                                + (dispatched < groups ? "-in-turns" : ""))
                .set("COLUMNS", input.columns());
        if (dispatched < groups) {
            kernel.set("GROUPS", groups).set("STRIDE", dispatched);
        }
        if (activation == null) {
            kernel.set("PARTS", ends.length);
        } else {
            kernel.use("ACTIVATION", activation.file());
        }
        if (tile == null) {
            rows.setIn(kernel, input, device.facts());
        } else {
            tile.setIn(kernel, input.tokens());
        }
        chooseTokens(kernel, tile != null);
        input.addTo(kernel, tile != null);
        for (int i = 0; i < ends.length; i++) {
            kernel.set("FIRST_GROUP_" + i, i == 0 ? 0 : ends[i - 1]).set("END_GROUP_" + i, ends[i]);
            add(kernel, device, some.get(i), i, first, most, tile != null);
        }
        int tokenGroups = tile == null ? outTokens() : (outTokens() - 1) / tile.side() + 1;
        kernel.dispatch(label, Workgroups.of(dispatched, tokenGroups));
    }

    /** Adds some rows of a matrix, which has a number in the names of the kernel. */
    private void add(
            StepKernel kernel, StepRecorder device, ProductPart part, int number, int first, int most, boolean tiles) {
        Matrix matrix = part.matrix();
        TensorType type = matrix.readType();
        int count = Math.min(most, matrix.rows() - first);
        String name = Integer.toString(number);
        kernel.set("ROWS_" + name, count).set("OUT_COLUMNS_" + name, part.outColumns());
        if (tiles) {
            WordsOf.unpacking(type, "PRODUCT_" + name, name).forEach(kernel::use);
        } else {
            WordsOf.products(type, input.isRounded(), name).forEach(kernel::use);
            kernel.set("UNITS_" + name, WordsOf.units(matrix, input.isRounded()));
        }
        Window window = count == matrix.rows()
                ? matrix.window(device.kernels())
                : matrix.window(device.kernels(), first, count);
        long offset = window.offsetOf(matrix.id(), first * matrix.readRowBytes());
        kernel.read("words_" + name, matrix.id(), window, offset, count * matrix.readRowBytes());
        kernel.write("out_" + name, part.out(), 4L * outTokens() * part.outColumns());
        kernel.job("first_out_" + name, part.firstColumn() + first);
        NodeId bias = part.bias();
        if (bias != null) {
            kernel.use("BIAS_" + name, "matrix/bias-added").read("bias_" + name, bias, 4L * matrix.rows());
            kernel.job("first_bias_" + name, first);
        }
    }

    private void chooseTokens(StepKernel kernel, boolean tiles) {
        NodeId cursor = input.cursor();
        if (cursor != null && (tiles || input.isLastOnly())) {
            kernel.use("TOKENS", tiles ? "matrix/tokens-of-cursor" : "matrix/last-token")
                    .read("cursor", cursor, Cursor.BYTES);
        }
    }
}
