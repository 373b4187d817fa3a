package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.RowSums;
import io.devicearena.kernels.step.StepKernel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of a residual stream by their norm. */
record NormedInput(NormedRows rows) implements RowInput {
    @Override
    public int columns() {
        return rows.columns();
    }

    @Override
    public int tokens() {
        return rows.rows();
    }

    @Override
    public @Nullable NodeId cursor() {
        return rows.cursor();
    }

    @Override
    public boolean isLastOnly() {
        return rows.isLastOnly();
    }

    @Override
    public boolean hasTiles() {
        return true;
    }

    @Override
    public List<NodeId> reads() {
        List<NodeId> all = new ArrayList<>(List.of(rows.residual(), rows.norm()));
        rows.added().ifPresent(update -> {
            all.add(update.value());
            NodeId norm = update.norm();
            if (norm != null) {
                all.add(norm);
            }
        });
        return all;
    }

    @Override
    public List<NodeId> writes() {
        return rows.added().map(update -> List.of(update.sum())).orElse(List.of());
    }

    @Override
    public void addTo(StepKernel kernel, boolean tiles) {
        long bytes = 4L * rows.columns() * rows.rows();
        kernel.use("INPUT", tiles ? "matrix/input-normed-tile" : "matrix/input-normed-row")
                .set("EPSILON", rows.epsilon())
                .read("x", rows.residual(), bytes)
                .read("norm", rows.norm(), 4L * rows.columns());
        NormedRows.Update update = rows.update();
        if (update != null) {
            NodeId norm = update.norm();
            kernel.use("RESIDUAL", norm == null ? "matrix/residual-added" : "matrix/residual-normed")
                    .read("update", update.value(), bytes)
                    .write("sums", update.sum(), bytes);
            if (norm != null) {
                kernel.read("post", norm, 4L * rows.columns());
            }
        }
    }

    @Override
    public void stage(HostValues host, int token, float[] to, float[] spare) {
        int columns = rows.columns();
        long at = (long) token * columns;
        HostFloats.read(host.bytes(rows.residual()), at, to, 0, columns);
        NormedRows.Update update = rows.update();
        if (update != null) {
            HostFloats.read(host.bytes(update.value()), at, spare, 0, columns);
            NodeId norm = update.norm();
            if (norm != null) {
                RowSums.normalize(spare, columns, host.bytes(norm), rows.epsilon());
            }
            for (int c = 0; c < columns; c++) {
                to[c] += spare[c];
            }
            HostFloats.write(to, 0, columns, host.bytes(update.sum()), at);
        }
        RowSums.normalize(to, columns, host.bytes(rows.norm()), rows.epsilon());
    }
}
