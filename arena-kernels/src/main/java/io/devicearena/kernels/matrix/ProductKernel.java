package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.step.StepText;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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
    private static final String LETTERS = "abc";

    /**
     * The most workgroups that stage a row each: they keep a large device busy, and with more the staging would take
     * longer than the product.
     */
    private static final int STAGED_GROUPS = 2048;

    /** Rows of a matrix are split at multiples of it: then every part begins at a multiple of 16 bytes. */
    private static final int SPLIT_ROWS = 8;

    /** The groups of a gate and of what it lets through. */
    private static final String GATE = """
            let row = first_row(g, thread);
            let loaded_a = load_a(row, thread);
            let loaded_b = load_b(row, thread);
            PREPARE
            let gate = elements_a(loaded_a, row, token, thread);
            store_a(row, out_token, thread, gated(gate, elements_b(loaded_b, row, token, thread)));
            """;

    /** Short rows are loaded before the input is ready, see rows-of-matrix.wgsl. */
    private static final String ENTRY = """
            @compute @workgroup_size(THREADS)
            fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
                let out_token = first_token(group.y);
                if (!is_valid(out_token, thread)) { return; }
                let token = input_token(group.y);
            MAIN}
            """;

    ProductKernel {
        for (ProductPart part : parts) {
            int columns = part.matrix().columns();
            if (columns != input.columns() || columns % 8 != 0) {
                throw new IllegalArgumentException("matrix " + part.matrix().id() + ": expected " + input.columns()
                        + " columns, a multiple of 8, got " + columns);
            }
        }
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

    /** What the step reads: the input, its cursor and the matrices, each once. */
    List<NodeId> reads() {
        Set<NodeId> all = new LinkedHashSet<>(input.reads());
        NodeId cursor = input.cursor();
        if (cursor != null) {
            all.add(cursor);
        }
        parts.forEach(part -> all.add(part.matrix().id()));
        return List.copyOf(all);
    }

    /** What the step writes, each value once. */
    List<NodeId> writes() {
        Set<NodeId> all = new LinkedHashSet<>(input.writes());
        parts.forEach(part -> all.add(part.out()));
        return List.copyOf(all);
    }

    /** With {@code subgroups} false, as on a device that has none. */
    void record(StepRecorder device, boolean subgroups) {
        KernelFacts facts = device.facts();
        int lanes = subgroups ? StepText.subgroupSize(facts) : 0;
        device.recorder().labelled(label);
        RowGeometry rows = RowGeometry.of(input, parts, lanes);
        boolean tiles = RowGeometry.MOST_TOKENS < outTokens() && input.hasTiles();
        TileGeometry tile = TileGeometry.of(parts, outTokens(), facts.maxWorkgroupMemoryBytes(), activation != null);
        boolean looping = !tiles && input.isStaged();
        long groups = looping ? Integer.MAX_VALUE : facts.maxWorkgroups() / 4;
        int step = tiles ? tile.side() : rows.rowsOfGroup();
        int most = parts.stream()
                .mapToInt(part -> mostRows(part, facts, groups * step))
                .min()
                .orElseThrow();
        boolean whole = parts.stream().allMatch(part -> part.matrix().rows() <= most);
        boolean bindable = 6 + 2 * parts.size() <= facts.maxStorageBindings();
        if (activation == null && !(whole && bindable)) {
            parts.forEach(part -> split(device, List.of(part), most, rows, tiles ? tile : null));
        } else {
            split(device, parts, most, rows, tiles ? tile : null);
        }
    }

    private int outTokens() {
        return input.isLastOnly() ? 1 : input.tokens();
    }

    /** The rows of a matrix that one binding and one dispatch can have, or no limit if all can be in one. */
    private static int mostRows(ProductPart part, KernelFacts facts, long dispatchRows) {
        Matrix matrix = part.matrix();
        if (matrix.bytes() <= facts.maxBindingBytes() && matrix.rows() <= dispatchRows) {
            return Integer.MAX_VALUE;
        }
        long bytes = (facts.maxBindingBytes() - facts.bindingAlignmentBytes())
                / matrix.type().rowBytes(matrix.columns());
        return (int) Math.max(SPLIT_ROWS, Math.min(bytes, dispatchRows) / SPLIT_ROWS * SPLIT_ROWS);
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
        ProductText text = new ProductText(device.kernels());
        text.constant("COLUMNS", input.columns());
        text.line("override COLUMNS: u32;");
        text.file("words");
        if (tile != null) {
            tile.addTo(text, input.tokens());
        } else {
            rows.addTo(text, input, device.facts());
        }
        NodeId cursor = input.cursor();
        if (cursor != null) {
            text.read("cursor", "u32", cursor, 16);
        }
        addToken(text, tile != null);
        input.addTo(text, tile != null);
        text.line((activation == null ? Activation.SILU : activation).wgsl());
        List<Integer> groupsOf = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            ProductPart part = some.get(i);
            char letter = LETTERS.charAt(i);
            int count = Math.min(most, part.matrix().rows() - first);
            text.weights(letter, part.matrix(), first, count);
            text.constant("ROWS_" + letter, count);
            text.constant("OUT_COLUMNS_" + letter, part.outColumns());
            String out = text.output(letter, part, first, outTokens());
            TensorType type = part.matrix().readType();
            if (tile != null) {
                WordsOf.files(type).forEach(file -> text.file(file, letter, out));
                text.file("tile-of-matrix", letter, out);
                text.file(tile.file(), letter, out);
            } else {
                (input.isRounded() ? WordsOf.roundedProducts(type) : WordsOf.products(type))
                        .forEach(file -> text.file(file, letter, out));
                text.constant("UNITS_" + letter, WordsOf.units(part.matrix(), input.isRounded()));
                text.file("rows-of-matrix", letter, out);
            }
            groupsOf.add((count - 1) / (tile != null ? tile.side() : rows.rowsOfGroup()) + 1);
        }
        int groups = activation != null
                ? groupsOf.getFirst()
                : groupsOf.stream().mapToInt(Integer::intValue).sum();
        int dispatched = tile == null && input.isStaged() ? Math.min(groups, STAGED_GROUPS) : groups;
        String body = activation != null ? GATE : plain(groupsOf);
        String prepare = "prepare(token, thread, group.x == 0u);";
        String main;
        if (dispatched < groups) {
            // each workgroup does the work of several
            main = prepare + "\nfor (var g = group.x; g < " + groups + "u; g += " + dispatched + "u) {\n"
                    + body.replace("PREPARE", "") + "}\n";
        } else {
            main = "let g = group.x;\n" + body.replace("PREPARE", prepare);
        }
        text.line(ENTRY.replace("MAIN", main));
        text.dispatch(
                device.recorder(),
                label,
                tile == null && rows.subgroup() > 0,
                Workgroups.of(dispatched, tile != null ? (outTokens() - 1) / tile.side() + 1 : outTokens()));
    }

    private void addToken(ProductText text, boolean tiles) {
        if (input.isLastOnly()) {
            text.line("fn input_token(group: u32) -> u32 { return cursor[job.cursor + 1u] - 1u; }");
        } else {
            text.line("fn input_token(group: u32) -> u32 { return first_token(group); }");
        }
        if (tiles && input.cursor() != null) {
            text.line("""
                    var<workgroup> valid: u32;
                    fn is_valid(first: u32, thread: u32) -> bool {
                        if (thread == 0u) { valid = cursor[job.cursor + 1u]; }
                        return first < workgroupUniformLoad(&valid);
                    }
                    """);
        } else {
            text.line("fn is_valid(first: u32, thread: u32) -> bool { return true; }");
        }
    }

    /** The groups of each matrix, one after the other. What they load does not wait for the input. */
    private static String plain(List<Integer> groupsOf) {
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        int first = 0;
        for (int i = 0; i < groupsOf.size(); i++) {
            int end = first + groupsOf.get(i);
            String letter = "_" + LETTERS.charAt(i);
            String range = "g >= " + first + "u && g < " + end + "u";
            before.append("""
                    var loaded_L: Loaded_L;
                    let row_L = first_row(g - FIRSTu, thread);
                    if (RANGE) { loaded_L = load_L(row_L, thread); }
                    """.replace("FIRST", Integer.toString(first))
                    .replace("RANGE", range)
                    .replace("_L", letter));
            after.append("""
                    if (RANGE) { store_L(row_L, out_token, thread, elements_L(loaded_L, row_L, token, thread)); }
                    """.replace("RANGE", range).replace("_L", letter));
            first = end;
        }
        return before + "PREPARE\n" + after;
    }
}
