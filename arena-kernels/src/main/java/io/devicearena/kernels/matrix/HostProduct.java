package io.devicearena.kernels.matrix;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.packed.PlaneLayout;
import io.devicearena.kernels.packed.RowTile;
import io.devicearena.kernels.packed.StagedRow;
import io.devicearena.kernels.packed.WorkerMemory;
import io.devicearena.kernels.packed.Workspace;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.WorkerTasks;
import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Computes what {@link ProductKernel} records, on the host: for a few tokens a tile of rows is unpacked and multiplied
 * by each token, for many a row is unpacked and multiplied by all tokens in one pass.
 */
final class HostProduct implements Runnable {
    /** From here on a pass over all tokens is faster than a pass for each: measured with rows of 640. */
    private static final int MANY_TOKENS = 24;

    /** Tokens that are staged together: their floats fill a line of the cache in each column. */
    private static final int STAGED_TOKENS = 16;

    /** Rows of a task: at most this many, else so few that every thread gets several tasks. */
    private static final int MOST_ROWS = 256;

    private static final int TASKS_OF_THREAD = 4;

    private final RowInput input;
    private final @Nullable Activation activation;
    private final HostValues host;
    private final Workspace work;
    private final HostPart[] parts;

    /** Of the parts whose rows go through a tile; the others are multiplied by the row as it is. */
    private final PlaneLayout[] layouts;

    private final int[] layoutOf;
    private final int tileRows;
    private final int[] taskRows;
    private final int[] firstTask;
    private final IntConsumer stageFew = this::stageFew;
    private final IntConsumer stageMany = this::stageMany;
    private final WorkerTasks<WorkerMemory> multiply;
    private int firstToken;
    private int tokens;

    HostProduct(ProductKernel kernel, HostValues host) {
        this.input = kernel.input();
        this.activation = kernel.activation();
        this.host = host;
        this.work = host.kept(Workspace.class, Workspace::new);
        this.multiply = new WorkerTasks<>(host, work.workers(host.threads()), this::multiply);
        this.parts =
                kernel.parts().stream().map(part -> new HostPart(part, host)).toArray(HostPart[]::new);
        this.layouts = Arrays.stream(parts)
                .filter(part -> !part.isDirect())
                .map(HostPart::layout)
                .distinct()
                .toArray(PlaneLayout[]::new);
        this.layoutOf = new int[parts.length];
        this.tileRows = Arrays.stream(parts).mapToInt(HostPart::tileRows).min().orElseThrow();
        this.taskRows = new int[parts.length];
        this.firstTask = new int[parts.length + 1];
        for (int i = 0; i < parts.length; i++) {
            layoutOf[i] = Arrays.asList(layouts).indexOf(parts[i].layout());
            int share = Math.min(MOST_ROWS, parts[i].rows() / (TASKS_OF_THREAD * host.threads()));
            taskRows[i] = Math.max(1, share / tileRows) * tileRows;
            firstTask[i + 1] = firstTask[i] + (parts[i].rows() - 1) / taskRows[i] + 1;
        }
    }

    @Override
    public void run() {
        int count = Cursor.requireRows(host, input.cursor(), input.tokens());
        firstToken = input.isLastOnly() ? count - 1 : 0;
        tokens = count - firstToken;
        int stages = isMany() ? (tokens - 1) / STAGED_TOKENS + 1 : tokens;
        work.require(tokens);
        if (isMany()) {
            work.columns().require(input.columns(), tokens);
        }
        host.parallel(stages, isMany() ? stageMany : stageFew);
        multiply.run(activation == null ? firstTask[parts.length] : firstTask[1]);
    }

    private boolean isMany() {
        return tokens >= MANY_TOKENS;
    }

    private void stageFew(int token) {
        StagedRow row = work.row(token);
        input.stage(host, firstToken + token, row.row(input.columns()), row.spare(input.columns()));
        for (int i = 0; i < layouts.length; i++) {
            row.spread(i, input.columns(), layouts[i], tileRows);
        }
    }

    private void stageMany(int stage) {
        int first = stage * STAGED_TOKENS;
        int count = Math.min(STAGED_TOKENS, tokens - first);
        for (int t = first; t < first + count; t++) {
            StagedRow row = work.row(t);
            input.stage(host, firstToken + t, row.row(input.columns()), row.spare(input.columns()));
        }
        for (int t = first; t < first + count; t++) {
            work.columns().set(work.row(t).row(input.columns()), t, input.columns());
        }
    }

    /** Multiplies rows of a part, or of both parts of a gated product. */
    private void multiply(WorkerMemory own, int task) {
        int i = 0;
        while (task >= firstTask[i + 1]) {
            i++;
        }
        int first = (task - firstTask[i]) * taskRows[i];
        int end = Math.min(first + taskRows[i], parts[i].rows());
        for (int row = first; row < end; row += tileRows) {
            multiply(own, i, row, Math.min(tileRows, end - row));
        }
    }

    private void multiply(WorkerMemory own, int i, int first, int rows) {
        load(own.tile(0), parts[i], first, rows);
        if (activation != null) {
            load(own.tile(1), parts[1], first, rows);
        }
        if (isMany()) {
            multiplyMany(own, i, first, rows);
        } else {
            multiplyFew(own, i, first, rows);
        }
    }

    private void load(RowTile tile, HostPart part, int first, int rows) {
        if (isMany() || !part.isDirect()) {
            part.load(tile, first, rows);
        }
    }

    private void multiplyFew(WorkerMemory own, int i, int first, int rows) {
        float[] products = own.products(0, rows);
        float[] others = own.products(1, rows);
        for (int t = 0; t < tokens; t++) {
            parts[i].multiply(own.tile(0), first, rows, work.row(t), layoutOf[i], products);
            if (activation != null) {
                parts[1].multiply(own.tile(1), first, rows, work.row(t), layoutOf[1], others);
            }
            for (int r = 0; r < rows; r++) {
                parts[i].store(t, first + r, activated(products[r], others[r]));
            }
        }
    }

    private void multiplyMany(WorkerMemory own, int i, int first, int rows) {
        float[] products = own.products(0, tokens);
        float[] others = own.products(1, tokens);
        for (int r = 0; r < rows; r++) {
            multiplyMany(own, own.tile(0), r, products);
            if (activation != null) {
                multiplyMany(own, own.tile(1), r, others);
            }
            for (int t = 0; t < tokens; t++) {
                parts[i].store(t, first + r, activated(products[t], others[t]));
            }
        }
    }

    private void multiplyMany(WorkerMemory own, RowTile tile, int row, float[] products) {
        float[] weights = own.row(input.columns());
        tile.copyRow(row, weights);
        work.columns().multiply(weights, input.columns(), tokens, products);
    }

    private float activated(float product, float other) {
        return activation == null ? product : activation.apply(product) * other;
    }
}
